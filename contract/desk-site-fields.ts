/** The forms of the desk's screen Site. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { isSiteLink } from './settings.ts'

/** One line of text. Without `missing` it may be empty. */
const line = (max: number, missing?: string) =>
  z
    .string(missing ?? 'Enter a text.')
    .check(
      z.trim(),
      z.minLength(missing === undefined ? 0 : 1, missing),
      z.maxLength(max, `Use at most ${max} characters.`),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    )

const LINK_RULE = 'Enter a page of this site such as /news, or an address that starts with https://.'
const link = z.string(LINK_RULE).check(z.trim(), z.refine(isSiteLink, LINK_RULE))

/** A picture of this site, as an upload gave it; null for none. */
const picture = z.nullable(
  z.string('Choose a picture.').check(z.regex(/^\/[^/\\\p{Cc}][^\p{Cc}]{0,299}$/u, 'Choose a picture.')),
)
const moment = z.nullable(z.iso.datetime({ error: 'Enter a date and a time.', offset: true }))
const isOrdered = (from: string | null, until: string | null) =>
  from === null || until === null || Date.parse(from) < Date.parse(until)

/** What every entry has: its number, null for a new one, the version it was changed from, and whether players see it. */
const entry = {
  id: z.nullable(z.int('Load this again.')),
  version: z.int('Load this again.'),
  visible: z.boolean('Choose whether players see it.'),
}

export const bannerForm = z
  .object({
    ...entry,
    first_line: line(24, 'Enter a headline.'),
    second_line: line(24),
    line: line(90),
    tag: line(20),
    href: link,
    picture,
    picture_phone: picture,
    shown_from: moment,
    shown_until: moment,
  })
  .check(
    z.refine(({ shown_from, shown_until }) => isOrdered(shown_from, shown_until), {
      error: 'The end must be after the start.',
      path: ['shown_until'],
    }),
  )

export const downloadForm = z.object({
  ...entry,
  link_name: line(60, 'Enter a name.'),
  link_address: link,
  link_type: line(30, 'Choose what it is.'),
  /** Lines that begin with a word such as 'Size:' are shown as facts. */
  link_description: z
    .string('Enter a text.')
    .check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.'), z.regex(/^[\P{Cc}\n]*$/u, 'Use plain text.')),
  link_date: z.iso.datetime({ error: 'Enter a date and a time.', offset: true }),
  /** One of our icons, or a picture of this site. */
  link_icon: z
    .string('Choose an icon.')
    .check(z.regex(/^(download|mirror|patch|torrent|\/[^/\\\p{Cc}][^\p{Cc}]{0,299})$/u, 'Choose an icon.')),
})

const size = z.int('Enter a size in pixels.').check(z.gte(1, 'Enter a size in pixels.'), z.lte(20_000, 'Too large.'))
const storedFile = z.object({
  url: link,
  type: z.string().check(z.regex(/^(image|video)\/[\w.+-]{1,40}$/, 'Choose a kind of file.')),
  width: size,
  height: size,
})
const ownFile = z.extend(storedFile, {
  url: z.string('Choose a picture.').check(z.regex(/^\/[^/\\\p{Cc}][^\p{Cc}]{0,299}$/u, 'Choose a picture.')),
})

const FILMS_RULE = 'Enter one address per line: a film on this site, or an address that starts with https://.'
/** The addresses in a text with one to a line. */
export const filmsIn = (text: string) => text.split(/\s+/).filter((address) => address !== '')

export const mediaForm = z.object({
  ...entry,
  kind: z.enum(['gallery', 'wallpaper', 'movie'], 'Choose a kind.'),
  title: line(80, 'Enter a title.'),
  description: line(300),
  alt: line(200, 'Say what the picture shows, for people who cannot see it.'),
  credit: line(80),
  previews: z
    .array(ownFile, 'Choose a picture.')
    .check(z.minLength(1, 'Choose a picture.'), z.maxLength(12, 'Use fewer pictures.')),
  /** What is downloaded or played. Of a movie, those whose address is among its `films` are kept. */
  files: z.array(storedFile).check(z.maxLength(12, 'Use fewer files.')),
  films: z.string(FILMS_RULE).check(
    z.maxLength(1500, FILMS_RULE),
    z.refine((text) => filmsIn(text).every(isSiteLink), FILMS_RULE),
  ),
  captions: z
    .array(
      z.object({
        url: z.string().check(z.regex(/^\/[^/\\\p{Cc}][^\p{Cc}]{0,299}$/u, 'Captions must be a file of this site.')),
        language: z.string().check(z.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/, 'Enter a language such as en or fil.')),
        label: line(40, 'Name the language.'),
      }),
    )
    .check(z.maxLength(6, 'Use fewer captions.')),
  seconds: z.nullable(
    z.int('Enter whole seconds.').check(z.gte(1, 'Enter whole seconds.'), z.lte(36_000, 'Too long.')),
  ),
})

export const clubAreaForm = z.object({
  ...entry,
  name: line(60, 'Enter a name.'),
  club: line(60),
  tax_percent: z.coerce
    .number('Enter a whole number from 0 to 100.')
    .check(
      z.int('Enter a whole number from 0 to 100.'),
      z.gte(0, 'Enter a whole number from 0 to 100.'),
      z.lte(100, 'Enter a whole number from 0 to 100.'),
    ),
  picture,
})
