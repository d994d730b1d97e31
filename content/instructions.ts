import { z } from 'zod'
import { content, parts, prose } from './files.ts'
import { readLinks } from './prose.ts'

/** The nine regions of the interface picture in the order of GUIDE-3. `?part=` opens the popup of one of them. */
export const PART_KEYS = [
  'status',
  'items',
  'skills',
  'chat',
  'shortcuts',
  'inventory',
  'map',
  'keys',
  'mouse',
] as const

export type PartKey = (typeof PART_KEYS)[number]

/** A region's text. A table before it explains the letters on the enlarged drawing, by their place in its coordinates. */
const partText = z
  .strictObject({
    key: z.enum(PART_KEYS),
    title: z.string(),
    /** What it is for, in one line. */
    line: z.string(),
    body: prose(),
  })
  .transform(({ key, body, ...part }) => {
    const [first, ...rest] = body
    const letters =
      typeof first === 'object' && 'table' in first && first.table.columns[0] === 'At' ? first.table : null
    return {
      key,
      part: {
        ...part,
        legend: (letters?.rows ?? []).map(([at = '', name = '', text = '']) => {
          const [x, y] = at.split(', ').map(Number)
          return { at: z.tuple([z.number(), z.number()]).parse([x, y]), name, text }
        }),
        body: letters === null ? body : rest,
      },
    }
  })

type Part = z.output<typeof partText>['part']

/** The texts of the nine regions. */
export const PARTS = Object.fromEntries(
  content.readTexts('instructions/parts/*.md', partText).map(({ key, part }) => [key, part]),
) as Readonly<Record<PartKey, Part>>

const chapterText = z.strictObject({
  /** The chapter's anchor on the page. */
  id: z.string(),
  title: z.string(),
  /** Names and values on the card beside the text, as `Map: M | First ride: level 18`. */
  facts: z.string().transform((facts) =>
    facts.split(' | ').map((fact) => {
      const [, name = fact, value = ''] = /^(.*?): (.*)$/.exec(fact) ?? []
      return [name, value] as const
    }),
  ),
  links: z.string().transform(readLinks).optional(),
  body: prose(),
})

/** The chapters of the guide, in the order in which a new player needs them. */
export const CHAPTERS = content.readTexts('instructions/chapters/*.md', chapterText)

/** An action and how each type performs it: keys to press, or what the mouse does. */
const controlGroup = z
  .strictObject({ title: z.string(), id: z.literal(''), text: prose() })
  .transform(({ title, text: [table] }) => ({
    title,
    controls: (typeof table === 'object' && 'table' in table ? table.table.rows : []).map(
      ([action = '', a = '', b = '']) => ({ action, a, b }),
    ),
  }))

export type ControlGroup = z.output<typeof controlGroup>

const readControls = (file: string): ControlGroup[] =>
  content.readTexts(file, z.strictObject({ body: parts.pipe(z.array(controlGroup)) })).flatMap(({ body }) => body)

/**
 * The default key table. In a cell, ` / ` separates alternative keys, ` – ` joins the first and last key of a range, and
 * ` + ` joins keys that are pressed together.
 */
export const KEY_TABLE = readControls('instructions/keys.md')

/** The mouse control of both types. */
export const MOUSE_TABLE = readControls('instructions/mouse.md')
