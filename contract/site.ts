import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields, type Field } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { declareCalls } from './endpoint.ts'
import { conflict, messageSchema } from './errors.ts'
import { lineField, linesField, siteFileField } from './fields.ts'
import { MEDIA_KINDS } from './media.ts'
import { count, id, moment, nullableMoment, offsetMoment } from './scalars.ts'
import { isSiteLink } from './settings.ts'
import { siteThemeSchema } from './theme.ts'

export const currencyNamesSchema = z
  .object({ rCoin: z.string(), milleage: z.string() })
  .meta({ id: 'CurrencyNames', description: 'What players call the two currencies' })

const siteCalls = declareCalls('site', 'public')

const desk = declareDeskCalls('site', { read: 'site.write', notPersonal: ['kind'] })

const endTimeField = z.string().meta({ description: 'When it ends, ISO 8601; empty for no announced end' })

/** An announcement at the top of every page: current or planned maintenance, or the operators' text. */
const noticeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('maintenance'), text: z.string(), from: z.string(), until: endTimeField }),
  z.object({ kind: z.literal('announcement'), text: z.string(), link: z.string(), until: endTimeField }),
])

export type Notice = z.infer<typeof noticeSchema>

/** The operator's settings that every page shows, and the number of characters in each school. */
const siteSchema = z
  .object({
    app_name: z.string(),
    since: z.string().meta({ description: 'The line above the copyright; empty for none' }),
    copyright: z.string().meta({ description: 'The text before the name at the bottom of every page; empty for none' }),
    public_url: z.string(),
    agent_url: z.string().nullable(),
    social_url: z.string().nullable(),
    more_links: z
      .array(z.object({ name: z.string(), url: z.string() }))
      .meta({ description: 'Further messengers and pages of the operators' }),
    more_pages: z
      .array(z.string())
      .meta({ description: 'Paths of the pages in the last row of the main menu, in its order' }),
    operator_name: z.string(),
    operator_email: z.string().nullable(),
    demo: z.boolean(),
    registration_open: z.boolean(),
    notices: z.array(noticeSchema),
    currencies: currencyNamesSchema,
    purchases_closed: z
      .object({
        text: z.string(),
        from: z.string().meta({ description: 'When they open, ISO 8601; empty for no announced time' }),
      })
      .nullable()
      .meta({ description: 'Why purchases are paused; null while they are open' }),
    preparing: z.array(z.string()).meta({
      description: 'Paths of pages without a text or without data from the game; menus leave them out',
    }),
    pages: z
      .array(z.object({ path: z.string(), title: z.string(), menu: z.string() }))
      .meta({ description: 'The free pages of the operators, each with the section of the menu that links it' }),
    look: siteThemeSchema.nullable().meta({ description: 'The published theme; null for the default' }),
    schools: z
      .array(z.object({ school: z.int(), characters: z.int() }))
      .meta({ description: 'The number of characters in each school, including hidden and blocked characters' }),
  })
  .meta({ id: 'Site' })

export const getSite = siteCalls.get('/site', {
  summary:
    'The settings, notices, free pages and theme that every page shows, and the number of characters in each school',
  cache: { freshMs: Number.MAX_SAFE_INTEGER },
  output: siteSchema,
})

/** The clock of every page shows this time (SHELL-2). */
export const getTime = siteCalls.get('/time', {
  summary: 'The server’s time, in Manila',
  output: z.object({
    time: z.string().meta({ description: 'A text that ends with hh:mm' }),
    epoch_ms: z.int(),
  }),
})

/** The interval at which an open page requests the status again. */
export const STATUS_INTERVAL_MS = 120_000
/** The maximum number of events in the status. */
export const STATUS_EVENTS = 4

export const getServerStatus = siteCalls.get('/server-status', {
  summary: 'Whether the game is up, how many play, and which events come next',
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({
    up: z.boolean().nullable().meta({ description: 'False during maintenance; null without a report of a bridge' }),
    players: z.int().nullable().meta({ description: 'The number of players online; null while unknown' }),
    peak_today: z
      .int()
      .nullable()
      .meta({ description: 'The highest number of players online at the same time since midnight in Manila' }),
    demo: z.boolean().meta({ description: 'Whether the site invents the players, for the demo world' }),
    events: z.array(z.object({ event: id, title: z.string(), starts_at: offsetMoment })).meta({
      description: 'Current and upcoming events, each with its current or next occurrence, the earliest first',
    }),
  }),
})

const clubAreaSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    club: z.string().nullable(),
    tax_percent: z.int(),
    img_url: z.string().nullable(),
  })
  .meta({ id: 'ClubArea' })

export const getClubAreas = siteCalls.get('/club-areas', {
  summary: 'The areas that clubs fight for, with their owners and taxes',
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({ data: z.array(clubAreaSchema) }),
})

const LINK_RULE = 'Enter a page of this site such as /news, or an address that starts with https://.'
const linkField = f.string(LINK_RULE).check(f.trim(), f.refine(isSiteLink, LINK_RULE))

/** The address of an uploaded picture; null for none. */
const pictureField = f.nullable(siteFileField('Choose a picture.'))
const momentField = f.nullable(f.iso.datetime({ error: 'Enter a date and a time.', offset: true }))
const isOrdered = (from: string | null, until: string | null) =>
  from === null || until === null || Date.parse(from) < Date.parse(until)

/**
 * The fields of every entry: its id (null for a new one), the version on which the change is based, and whether players
 * see it.
 */
const entryFields = {
  id: f.nullable(f.int('Reload the page.')),
  version: f.int('Reload the page.'),
  visible: f.boolean('Choose whether players see it.'),
}
const VISIBLE_LABEL = 'Players see it'

export const bannerForm = f
  .object({
    ...entryFields,
    first_line: lineField(24, 'Enter a headline.'),
    second_line: lineField(24),
    line: lineField(90),
    tag: lineField(20),
    href: linkField,
    picture: pictureField,
    picture_phone: pictureField,
    shown_from: momentField,
    shown_until: momentField,
  })
  .check(
    f.refine(({ shown_from, shown_until }) => isOrdered(shown_from, shown_until), {
      error: 'The end must be after the start.',
      path: ['shown_until'],
    }),
  )

export const bannerFields = describeFields(bannerForm, {
  first_line: 'Headline',
  second_line: { label: 'Second line of the headline', hint: 'optional' },
  line: { label: 'Text', hint: 'optional' },
  tag: { label: 'Tag', hint: 'optional, such as Sat 9 PM' },
  href: { label: 'Link', hint: '/news or https://…' },
  picture: { label: 'Picture', use: 'banner' },
  picture_phone: { label: 'Picture on phones', use: 'banner-phone' },
  shown_from: { label: 'Show from', hint: 'empty: right away · Manila time' },
  shown_until: { label: 'Show until', hint: 'empty: until you hide it' },
  visible: VISIBLE_LABEL,
})

const CHECKSUM_PATTERN = /^\s*(sha-?(?:1|256|512)|md5)\s*:\s*(.*?)\s*$/i
const HEX_DIGITS: Record<string, number> = { MD5: 32, SHA1: 40, SHA256: 64, SHA512: 128 }

/** Returns the checksums in a download's description: 'SHA-256: 7C41…' has the kind 'SHA256' and the value '7c41…'. */
export const parseChecksums = (description: string) =>
  description.split('\n').flatMap((line) => {
    const [, kind = '', value = ''] = CHECKSUM_PATTERN.exec(line) ?? []
    return value === '' ? [] : [{ kind: kind.toUpperCase().replace('-', ''), value: value.toLowerCase() }]
  })

const isChecksum = ({ kind, value }: { kind: string; value: string }) =>
  /^[0-9a-f]*$/.test(value) && value.length === HEX_DIGITS[kind]

export const downloadForm = f.object({
  ...entryFields,
  link_name: lineField(60, 'Enter a name.'),
  link_address: linkField,
  link_type: lineField(30, 'Choose what it is.'),
  link_version: lineField(40),
  link_size: f
    .string('Enter a size.')
    .check(f.trim(), f.regex(/^(\d{1,4}([.,]\d{1,2})? ?[kMG]B)?$/, 'Enter a size such as 2.9 GB, or nothing.')),
  link_changes: linesField(2000),
  /**
   * The description. Lines such as 'SHA-256: …' and 'Mirror: 1' are shown as facts, and links are sorted by the number of
   * the mirror.
   */
  link_description: linesField(1000).check(
    f.refine(
      (text) => parseChecksums(text).every(isChecksum),
      'A SHA-256 hash has 64 hexadecimal digits (MD5 32, SHA-1 40, SHA-512 128). Leave the line out if you have none.',
    ),
  ),
  link_date: f.iso.datetime({ error: 'Enter a date and a time.', offset: true }),
  /** A default icon, or a picture of this site. */
  link_icon: f
    .string('Choose an icon.')
    .check(f.regex(/^(download|mirror|patch|torrent|\/[^/\\\p{Cc}][^\p{Cc}]{0,299})$/u, 'Choose an icon.')),
})

export const downloadFields = describeFields(downloadForm, {
  link_name: 'Name',
  link_address: { label: 'Address', hint: 'https://…', kind: 'address' },
  link_type: {
    label: 'What it is',
    options: { full: 'The full client', mirror: 'A mirror', patch: 'A patch', torrent: 'A torrent' },
  },
  link_icon: {
    label: 'Icon',
    options: { download: 'Download', mirror: 'Mirror', patch: 'Patch', torrent: 'Torrent' },
  },
  link_description: {
    label: 'Description',
    hint: 'with lines such as SHA-256: …, Mirror: 1',
    kind: 'lines',
  },
  link_version: { label: 'Version', hint: 'optional, such as 1.42' },
  link_size: { label: 'Size', hint: 'optional, such as 2.9 GB' },
  link_changes: { label: 'What changed', hint: 'optional, one change to a line', kind: 'lines' },
  link_date: 'Date of the file',
  visible: VISIBLE_LABEL,
})

const pixelSizeField = f
  .int('Enter a size in pixels.')
  .check(f.gte(1, 'Enter a size in pixels.'), f.lte(20_000, 'Too large.'))
/** A picture or film as operators enter it: on this site, or an address elsewhere. */
const storedFileField = f.object({
  url: linkField,
  type: f.string().check(f.regex(/^(image|video)\/[\w.+-]{1,40}$/, 'Choose a kind of file.')),
  width: pixelSizeField,
  height: pixelSizeField,
})
/** A picture on this site. */
const previewField = f.extend(storedFileField, {
  url: siteFileField('Choose a picture.'),
})

const FILMS_RULE = 'Enter one address per line: a film on this site, or an address that starts with https://.'
/** Returns the addresses in a text with one per line. */
export const parseFilms = (text: string) => text.split(/\s+/).filter((address) => address !== '')

export const mediaForm = f.object({
  ...entryFields,
  kind: f.enum(['gallery', 'wallpaper', 'movie'], 'Choose a kind.'),
  title: lineField(80, 'Enter a title.'),
  description: lineField(300),
  alt: lineField(200, 'Describe the picture for people who cannot see it.'),
  credit: lineField(80),
  previews: f
    .array(previewField, 'Choose a picture.')
    .check(f.minLength(1, 'Choose a picture.'), f.maxLength(12, 'Use fewer pictures.')),
  /** The files to download or play. For a movie, only files whose address is among its `films` are stored. */
  files: f.array(storedFileField).check(f.maxLength(12, 'Use fewer files.')),
  films: f.string(FILMS_RULE).check(
    f.maxLength(1500, FILMS_RULE),
    f.refine((text) => parseFilms(text).every(isSiteLink), FILMS_RULE),
  ),
  captions: f
    .array(
      f.object({
        url: siteFileField('Captions must be a file of this site.'),
        language: f.string().check(f.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/, 'Enter a language such as en or fil.')),
        label: lineField(40, 'Name the language.'),
      }),
    )
    .check(f.maxLength(6, 'Use fewer captions.')),
  seconds: f.nullable(
    f.int('Enter whole seconds.').check(f.gte(1, 'Enter whole seconds.'), f.lte(36_000, 'Too long.')),
  ),
})

export const mediaFields = describeFields(mediaForm, {
  title: 'Title',
  credit: { label: 'Made by', hint: 'optional' },
  alt: { label: 'What it shows', hint: 'for people who cannot see it' },
  description: { label: 'Description', hint: 'optional' },
  films: { label: 'Film addresses', hint: 'one per line', kind: 'lines' },
  seconds: { label: 'Length in seconds', hint: 'optional' },
  visible: VISIBLE_LABEL,
})

/** The captions of a film in one language. */
export const captionFields = {
  language: { kind: 'id', label: 'Language', hint: 'en, fil, ceb…' },
  label: { kind: 'text', label: 'Name players see' },
} as const satisfies Record<string, Field>

export const clubAreaForm = f.object({
  ...entryFields,
  name: lineField(60, 'Enter a name.'),
  club: lineField(60),
  tax_percent: f.coerce
    .number('Enter a whole number from 0 to 100.')
    .check(
      f.int('Enter a whole number from 0 to 100.'),
      f.gte(0, 'Enter a whole number from 0 to 100.'),
      f.lte(100, 'Enter a whole number from 0 to 100.'),
    ),
  picture: pictureField,
})

export const clubAreaFields = describeFields(clubAreaForm, {
  name: 'Name',
  club: { label: 'Club that owns it', hint: 'empty: no club' },
  tax_percent: 'Tax in percent',
  picture: { label: 'Picture', use: 'club-area' },
  visible: VISIBLE_LABEL,
})

const pictureSchema = z.string().nullable()

/** The kinds of entries that have an order and can be hidden. */
export const SITE_KINDS = ['banners', 'downloads', 'gallery', 'wallpaper', 'movie', 'club-areas'] as const
export type SiteKind = (typeof SITE_KINDS)[number]

const entryRowFields = { id, version: count, visible: z.boolean() }
const entryErrors = {
  conflict,
  entryNotFound: { status: 404, message: 'This no longer exists.' },
} as const

/** The common part of the lists without filters. They are sorted by the operators' order. */
const listDeclaration = { sorts: ['position'], filters: {} } as const
const saveDeclaration = { output: messageSchema.extend({ id }), errors: entryErrors } as const

export const getDeskBanners = desk.list('/admin/banners', {
  summary: 'The banners in their order, including hidden and planned banners',
  ...listDeclaration,
  row: z.object({
    ...entryRowFields,
    title: z.array(z.string()),
    line: z.string(),
    tag: z.string(),
    href: z.string(),
    picture: pictureSchema,
    picture_phone: pictureSchema,
    shown_from: nullableMoment,
    shown_until: nullableMoment,
  }),
})

export const saveBanner = desk.write('/admin/banners/save', {
  title: 'Save banner',
  summary: 'Make or change a banner. Another owner, if there is one, has to approve a new link to another site',
  approvable: true,
  fields: bannerForm,
  ...saveDeclaration,
})

export const getDeskDownloads = desk.list('/admin/downloads', {
  summary: 'The download links in their order, including hidden links',
  ...listDeclaration,
  row: z.object({
    ...entryRowFields,
    link_name: z.string(),
    link_address: z.string(),
    link_type: z.string(),
    link_description: z.string(),
    link_date: moment,
    link_icon: z.string(),
    link_version: z.string(),
    link_size: z.string(),
    link_changes: z.string(),
  }),
})

export const saveDownload = desk.write('/admin/downloads/save', {
  title: 'Save download',
  summary:
    'Make or change a download link. A new address or hash needs another permission and, if there is another owner, that owner’s approval',
  approvable: true,
  fields: downloadForm,
  ...saveDeclaration,
})

const storedFileSchema = z.object({ url: z.string(), type: z.string(), width: z.int(), height: z.int() })

export const getDeskMedia = desk.list('/admin/media', {
  summary: 'The gallery, the wallpapers or the movies in their order, including hidden entries',
  sorts: ['position'],
  filters: { kind: z.enum(MEDIA_KINDS, 'Choose a kind.') },
  row: z.object({
    ...entryRowFields,
    kind: z.enum(MEDIA_KINDS),
    title: z.string(),
    description: z.string(),
    alt: z.string(),
    credit: z.string(),
    created_at: moment,
    previews: z.array(storedFileSchema),
    files: z.array(storedFileSchema),
    captions: z.array(z.object({ url: z.string(), language: z.string(), label: z.string() })),
    seconds: z.int().nullable(),
  }),
})

export const saveMedia = desk.write('/admin/media/save', {
  title: 'Save media',
  summary: 'Make or change a gallery picture, a wallpaper or a movie',
  fields: mediaForm,
  ...saveDeclaration,
})

export const getDeskClubAreas = desk.list('/admin/club-areas', {
  summary: 'The areas that clubs fight for in their order, including hidden areas',
  ...listDeclaration,
  row: z.object({
    ...entryRowFields,
    name: z.string(),
    club: z.string().nullable(),
    tax_percent: z.int(),
    picture: pictureSchema,
  }),
})

export const saveClubArea = desk.write('/admin/club-areas/save', {
  title: 'Save club area',
  summary: 'Make or change a club area',
  fields: clubAreaForm,
  ...saveDeclaration,
})

export const orderEntries = desk.write('/admin/site/order', {
  title: 'Order site entries',
  summary: 'Put the entries of a kind into another order',
  idempotent: false,
  input: {
    body: z.object({ kind: z.enum(SITE_KINDS), ids: z.array(id).min(1).max(2000) }),
  },
  errors: entryErrors,
})

export const deleteEntry = desk.write('/admin/site/delete', {
  title: 'Delete site entry',
  summary: 'Delete an entry permanently',
  idempotent: false,
  input: { body: z.object({ kind: z.enum(SITE_KINDS), id, version: count }) },
  errors: entryErrors,
})
