import { z } from 'zod'
import { content } from './files.ts'

/** How we treat each other, wherever we meet. */
export const HOUSE_RULES = content.readTable(
  'socials/house-rules.csv',
  z.strictObject({ rule: z.string(), why: z.string() }),
)

/** Places on the world map where there is nearly always somebody. */
export const SPOTS = content.readTable(
  'socials/places.csv',
  z.strictObject({ place: z.string(), name: z.string(), line: z.string() }),
)
