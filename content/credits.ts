import { z } from 'zod'
import { content, flag } from './files.ts'

/** The authors of the icons of items and skills (game-icons.net, CC BY 3.0). A test compares them with the drawings. */
export const ICON_AUTHORS = content.readTable(
  'credits/icons.csv',
  z.strictObject({ name: z.string(), page: z.url(), icons: z.string().transform((icons) => icons.split(' ')) }),
)

/**
 * The packages that the site needs to run, except the fonts, with their licences. A test compares them with
 * package.json and the packages.
 */
export const SOFTWARE = content.readTable(
  'credits/software.csv',
  z.strictObject({ name: z.string(), licence: z.string(), does: z.string() }),
)

const fontRow = z.strictObject({
  name: z.string(),
  package_name: z.string(),
  licence: z.string(),
  use: z.string(),
  authors: z.string(),
  page: z.url(),
  /** Whether the font is for headings. */
  display: flag,
})

/** The two fonts, which the site serves itself. */
export const FONTS = content.readTable('credits/fonts.csv', fontRow)
