import { z } from 'zod'
import { CLASS_NAMES } from '#contract/game.ts'
import { content, flag, list, parts, prose } from './files.ts'

export const TRAITS = ['Damage', 'Toughness', 'Speed', 'Reach', 'Support', 'Easy to start'] as const

const skillRow = z.tuple([z.enum(['F1', 'F2', 'F3', 'F4', 'Always']), z.string(), z.string()])

/** The text under a class's keys: its story, then what it is good and bad at, its skills, and a tip. */
const guideBody = z.string().transform((text) => {
  const [blurb = '', ...rest] = text.split(/\n\n(?=## )/)
  const sections = new Map(parts.parse(rest.join('\n\n')).map(({ title, text }) => [title, prose().parse(text)]))
  const linesOf = (title: string) =>
    (sections.get(title) ?? []).flatMap((block) => (typeof block === 'object' && 'list' in block ? block.list : []))
  const [skills] = sections.get('Skills') ?? []
  const rows = typeof skills === 'object' && 'table' in skills ? skills.table.rows : []
  return {
    blurb,
    strengths: linesOf('Strengths'),
    weaknesses: linesOf('Weaknesses'),
    /** The guide suggests a key for each; 'Always' marks a passive skill. */
    skills: rows.map((row) => {
      const [key, name, line] = skillRow.parse(row)
      return { key, name, line }
    }),
    tip: z.string().parse(sections.get('Tip')?.[0]),
  }
})

/**
 * A class of the guide: one of the nine of the contract, or the conductor. GUIDE-2 asks for panels without tabs for magician,
 * shaper and "an eighth class", but there is no tenth class code. The conductor is therefore a class that the school has
 * announced but not opened yet; it is in no ranking, filter or form.
 */
const classGuide = z
  .strictObject({
    key: z.enum([...CLASS_NAMES, 'conductor']),
    /** The name on the tab. Swordsman and gunner are called Sword and Scientist here (GUIDE-1). */
    name: z.string(),
    /** Its name in the rankings, where that differs. */
    also_called: z.string().optional(),
    /** Whether it has a tab (GUIDE-1); the others are reached by their address. */
    tab: flag,
    role: z.string(),
    weapon: z.string(),
    /** The two stats to raise, the more important one first. */
    stats: list.pipe(z.tuple([z.string(), z.string()])),
    /** How much of each trait it has, from 1 to 5. */
    traits: list
      .transform((traits) => Object.fromEntries(traits.map((trait) => [trait.slice(0, -2), Number(trait.slice(-1))])))
      .pipe(z.record(z.enum(TRAITS), z.int().min(1).max(5))),
    /** The colour of its bars and signs, with enough contrast on the dark background. */
    tint: z.string(),
    /** Describes its poster for those who cannot see it. */
    picture: z.string(),
    body: guideBody,
  })
  .transform(({ body, also_called: alsoCalled, tab: hasTab, ...guide }) => ({ ...guide, alsoCalled, hasTab, ...body }))

export type ClassGuide = z.output<typeof classGuide>

/** The guides in the order of their tabs, then those without. */
export const CLASS_GUIDES: readonly ClassGuide[] = content.readTexts('classes/*.md', classGuide)
