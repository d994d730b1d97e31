import { z } from 'zod'
import { CLASS_NAMES } from '#contract/game.ts'
import { content, list, parts, prose } from './files.ts'
import { readLinks } from './prose.ts'

/** A step with a paragraph and a list of links. */
const step = z
  .strictObject({ title: z.string(), id: z.literal(''), text: prose() })
  .transform(({ title, text: [text, links] }) => ({
    title,
    text: z.string().parse(text),
    links: typeof links === 'object' && 'list' in links ? readLinks(links.list.join(' ')) : [],
  }))

/** The quick guide for beginners: from nothing to the first hour. */
export const FIRST_STEPS = content
  .readTexts('first-steps/steps.md', z.strictObject({ body: parts.pipe(z.array(step)) }))
  .flatMap(({ body }) => body)

/** Suggestions for players who cannot decide on a class. */
export const IF_YOU = content.readTable(
  'first-steps/wishes.csv',
  z.strictObject({ wish: z.string(), keys: list.pipe(z.array(z.enum(CLASS_NAMES))) }),
)
