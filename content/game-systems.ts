import { z } from 'zod'
import { content, parts, prose } from './files.ts'

/** The drawings that the sections ask for; `web/features/guides/system-figures.tsx` draws them. */
const FIGURES = [
  'levels',
  'fight',
  'areas',
  'schools',
  'resu',
  'mmr',
  'channels',
  'purses',
  'parcel',
  'refining',
  'month',
] as const
export type SystemFigure = (typeof FIGURES)[number]

const section = z
  .strictObject({
    /** The section's anchor on the page. */
    id: z.string().min(1),
    title: z.string(),
    text: prose(FIGURES),
  })
  .transform(({ text: [lead, ...body], ...section }) => ({
    ...section,
    /** The one sentence to remember. */
    lead: z.string().parse(lead),
    body,
  }))

/** The game's systems, in the order in which a new player meets them. */
export const SYSTEM_SECTIONS = content
  .readTexts('game-systems.md', z.strictObject({ body: parts.pipe(z.array(section)) }))
  .flatMap(({ body }) => body)
