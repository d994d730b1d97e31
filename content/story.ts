import { z } from 'zod'
import { content, whole } from './files.ts'

/** Whose chapter or place it is, where it is a school's. */
const school = whole.pipe(z.literal([0, 1, 2])).optional()

const chapterText = z
  .strictObject({
    /** The anchor. */
    id: z.string(),
    title: z.string(),
    school,
    /** The picture `/art/story-<scene>.svg`. */
    scene: z.enum(['bell', 'hill', 'gate', 'peak', 'phoenix', 'brownout', 'board', 'shed']),
    quote: z.string().optional(),
    quoted: z.string().optional(),
    body: z.string(),
  })
  .transform(({ quote, quoted, body, ...chapter }) => ({
    ...chapter,
    paragraphs: body.split('\n\n'),
    ...(quote !== undefined && quoted !== undefined && { quote: { words: quote, who: quoted } }),
  }))

const placeRow = z
  .strictObject({
    /** The anchor's end: `#place-<id>`. */
    id: z.string(),
    name: z.string(),
    /** The name in lines, with a slash between them, where one is too long for the map. */
    label: z.string().optional(),
    school,
    /** Where the place itself is drawn. */
    at_x: whole,
    at_y: whole,
    /** The middle of its name on the map. */
    name_x: whole,
    name_y: whole,
    /** The one sentence about it. */
    line: z.string(),
  })
  .transform(({ label, at_x, at_y, name_x, name_y, ...place }) => ({
    ...place,
    label: label?.split(' / '),
    at: [at_x, at_y] as const,
    x: name_x,
    y: name_y,
  }))

export type Chapter = z.output<typeof chapterText>
export type Place = z.output<typeof placeRow>

/** The story of the campus, in reading order. */
export const CHAPTERS: readonly Chapter[] = content.readTexts('story/*.md', chapterText)

/** The size of the world map's drawing. */
export const MAP_SIZE = { width: 1000, height: 1120 }

/** What the world map shows, from the hilltop down to the road. */
export const PLACES: readonly Place[] = content.readTable('story/places.csv', placeRow)
