import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { lineField } from './fields.ts'
import type { PictureUseName } from './files.ts'
import { COLOR_NAMES, checkColors, ORIGINAL_COLORS, type ThemeColors } from './theme-colors.ts'

type SlotDeclaration = {
  label: string
  /** Its position on the site. */
  where: string
  use: PictureUseName
  /** Whether the picture identifies the site. An imported theme without this picture does not remove it. */
  identifiesSite?: true
  /** The address of the default drawing that the picture replaces. */
  replaces?: string
}

const declareCrestSlot = (name: string): SlotDeclaration => ({
  label: `Crest of ${name}`,
  where: 'Home, rankings, characters, login',
  use: 'look-crest',
})
const declareEmblemSlot = (name: string): SlotDeclaration => ({
  label: `Emblem: ${name}`,
  where: 'Rankings, class guide, forum',
  use: 'look-emblem',
})

const declareBoardSlot = (label: string, name: string): SlotDeclaration => ({
  label: `Board: ${label}`,
  where: 'Forum',
  use: 'look-emblem',
  replaces: `/art/board-${name}.svg`,
})
const declareRibbonSlot = (label: string, name: string): SlotDeclaration => ({
  label: `Ribbon: ${label}`,
  where: 'On items of the shop',
  use: 'look-ribbon',
  replaces: `/art/ribbon-${name}.svg`,
})
const declareClubSlot = (number: number): SlotDeclaration => ({
  label: `Club area ${number}`,
  where: 'Game systems',
  use: 'look-area',
  replaces: `/art/club-${number}.svg`,
})
const declareFigureSlot = (label: string, name: string): SlotDeclaration => ({
  label: `Drawing: ${label}`,
  where: 'Game systems',
  use: 'look-figure',
  replaces: `/art/${name}.svg`,
})
const declareSceneSlot = (label: string, location: string, name: string): SlotDeclaration => ({
  label,
  where: location,
  use: 'look-scene',
  replaces: `/art/${name}.svg`,
})

/** The pictures of a theme in the order of the desk. A missing picture is replaced by the default. */
export const THEME_SLOTS = {
  logo_wide: {
    label: 'Wide logo',
    where: 'At the top of every page, instead of the square logo and the name',
    use: 'look-logo-wide',
    identifiesSite: true,
  },
  logo: {
    label: 'Square logo',
    where: 'Next to the name, on cards, at the desk',
    use: 'look-logo',
    identifiesSite: true,
  },
  icon: { label: 'Icon', where: 'Browser tabs and home screens', use: 'look-icon', identifiesSite: true },
  share: {
    label: 'Share picture',
    where: 'What messengers show for a link whose page has no picture',
    use: 'look-share',
    identifiesSite: true,
  },
  hero: { label: 'Home page', where: 'Behind the top of the home page', use: 'look-hero' },
  hero_phone: { label: 'Home page on phones', where: 'The same on phones', use: 'look-hero-phone' },
  banner: {
    label: 'First banner',
    where: 'At the top of every page while there are no banners',
    use: 'look-banner',
    replaces: '/art/banner-1.svg',
  },
  banner_phone: {
    label: 'First banner on phones',
    where: 'The same on phones',
    use: 'look-banner-phone',
    replaces: '/art/banner-1-phone.svg',
  },
  mark_rcoin: { label: 'Symbol of R-Coin', where: 'Before every amount of R-Coin', use: 'look-mark' },
  mark_milleage: { label: 'Symbol of Milleage', where: 'Before every amount of Milleage', use: 'look-mark' },
  tile_redeem: {
    label: 'Tile ‘Redeem a code’',
    where: 'Side panel',
    use: 'look-tile',
    replaces: '/art/redeem.svg',
  },
  tile_gallery: {
    label: 'Gallery in the menu',
    where: 'Main menu on computers',
    use: 'look-tile',
    replaces: '/art/gallery-thumb.svg',
  },
  menu: {
    label: 'Below the logo in the menu',
    where: 'Main menu on computers, while it is open',
    use: 'look-menu',
    replaces: '/art/signpost.svg',
  },
  crest_gate: declareCrestSlot('Sacred Gate'),
  crest_peak: declareCrestSlot('Mystic Peak'),
  crest_phoenix: declareCrestSlot('Phoenix'),
  emblem_brawler: declareEmblemSlot('Brawler'),
  emblem_swordsman: declareEmblemSlot('Swordsman'),
  emblem_archer: declareEmblemSlot('Archer'),
  emblem_shaman: declareEmblemSlot('Shaman'),
  emblem_extreme: declareEmblemSlot('Extreme'),
  emblem_gunner: declareEmblemSlot('Gunner'),
  emblem_assassin: declareEmblemSlot('Assassin'),
  emblem_magician: declareEmblemSlot('Magician'),
  emblem_shaper: declareEmblemSlot('Shaper'),
  item: { label: 'Items without a picture', where: 'Shop, cart, histories', use: 'look-item' },
  news: { label: 'News without a picture', where: 'Home page and news', use: 'look-news' },
  capsule: {
    label: 'Capsules without a picture',
    where: 'Capsule shop and side panel',
    use: 'look-capsule',
    replaces: '/art/capsule.svg',
  },
  ribbon_new: declareRibbonSlot('New', 'new'),
  ribbon_hot: declareRibbonSlot('Hot', 'hot'),
  ribbon_sale: declareRibbonSlot('Sale', 'sale'),
  board_talk: declareBoardSlot('talk', 'talk'),
  board_plan: declareBoardSlot('strategy', 'plan'),
  board_picture: declareBoardSlot('pictures', 'picture'),
  board_friends: declareBoardSlot('friends', 'friends'),
  board_tongues: declareBoardSlot('languages', 'tongues'),
  board_banner: declareBoardSlot('clubs', 'banner'),
  board_bulb: declareBoardSlot('ideas', 'bulb'),
  board_note: declareBoardSlot('notes', 'note'),
  page_tickets: declareSceneSlot('Tickets', 'Where players submit and check tickets', 'registrar-window'),
  page_ticket_box: {
    label: 'Ticket box',
    where: 'Notices about tickets',
    use: 'look-empty',
    replaces: '/art/ticket-box.svg',
  },
  page_missing: declareSceneSlot('Page not found', 'At addresses without a page', 'not-found'),
  page_failed: declareSceneSlot('Error', 'Where a page fails', 'error-sign'),
  page_empty: {
    label: 'Nothing there',
    where: 'Lists and searches that are empty',
    use: 'look-empty',
    replaces: '/art/receipt-empty.svg',
  },
  page_club_1: declareClubSlot(1),
  page_club_2: declareClubSlot(2),
  page_club_3: declareClubSlot(3),
  page_fight: declareFigureSlot('Fight', 'system-fight'),
  page_resu: declareFigureSlot('Resurrection', 'system-resu'),
  page_interface: {
    label: 'Screen of the game',
    where: 'Instructions',
    use: 'look-interface',
    replaces: '/art/interface.svg',
  },
} as const satisfies Record<string, SlotDeclaration>

export type ThemeSlot = keyof typeof THEME_SLOTS
export const THEME_SLOT_NAMES = Object.keys(THEME_SLOTS) as ThemeSlot[]

/** The addresses of a theme's pictures, largest size first. */
export type ThemePictures = Partial<Record<ThemeSlot, string[]>>

/** Returns the first address of each picture that replaces a drawing, by the address of that drawing. */
export function listThemeArt(
  pictures: Readonly<Partial<Record<ThemeSlot, readonly string[]>>>,
): Record<string, string> {
  const slots: Readonly<Record<string, SlotDeclaration>> = THEME_SLOTS
  return Object.fromEntries(
    THEME_SLOT_NAMES.flatMap((name) => {
      const [drawing, picture] = [slots[name]?.replaces, pictures[name]?.[0]]
      return drawing === undefined || picture === undefined ? [] : [[drawing, picture]]
    }),
  )
}

/** The design of the site for players (LOOK-13). */
export type Theme = { title: string; colors: ThemeColors; pictures: ThemePictures }

export const ORIGINAL_THEME: Theme = { title: 'Original', colors: ORIGINAL_COLORS, pictures: {} }

/** Whether a theme is the default. */
export const isOriginalTheme = ({ colors, pictures }: Theme): boolean =>
  colors.ground === ORIGINAL_COLORS.ground &&
  colors.accent === ORIGINAL_COLORS.accent &&
  colors.second === ORIGINAL_COLORS.second &&
  THEME_SLOT_NAMES.every((slot) => pictures[slot] === undefined)

const TITLE_MAX = 40
const COLOR_RULE = 'Enter six hexadecimal digits after a #, such as #1a2b3c.'
const colorField = f.string(COLOR_RULE).check(f.trim(), f.toLowerCase(), f.regex(/^#[0-9a-f]{6}$/, COLOR_RULE))

const colorFields = { ground: colorField, accent: colorField, second: colorField }

/** Refuses colors with too little contrast, with the error at the color that must change. */
const checkLegibility = (payload: f.core.ParsePayload<ThemeColors>) => {
  for (const [color, message] of Object.entries(checkColors(payload.value)))
    payload.issues.push({ code: 'custom', message, path: [color], input: payload.value })
}

const uploadedPicture = f
  .string('Choose a picture.')
  .check(f.regex(/^\/files\/[0-9a-f]{64}\.(webp|png|jpg)$/, 'Choose a picture.'))
const picturesField = f.partialRecord(
  f.enum(THEME_SLOT_NAMES),
  f.array(uploadedPicture).check(f.minLength(1, 'Choose a picture.'), f.maxLength(3, 'Use fewer sizes.')),
  'Choose only pictures that a theme can have.',
)

/** A theme in the desk's form. `version` is the version of the draft on which it is based; 0 without a draft. */
export const themeForm = f
  .object({
    version: f.int('Reload the page.'),
    title: lineField(TITLE_MAX, 'Give the theme a name.'),
    ...colorFields,
    pictures: picturesField,
  })
  .check(checkLegibility)

export const themeFields = describeFields(themeForm, {
  title: { label: 'Name of this theme', hint: 'only you see it' },
  ground: { label: COLOR_NAMES.ground, hint: 'behind everything' },
  accent: { label: COLOR_NAMES.accent, hint: 'the next action' },
  second: { label: COLOR_NAMES.second, hint: 'patterns, boards and announcements' },
})

/** The content of a theme's file: `look.json` and the pictures that it names (LOOK-16). */
export const themeFileSchema = z
  .strictObject({
    format: z.literal(1, 'This theme is for another version of the site.'),
    title: lineField(TITLE_MAX, 'The theme has no name.'),
    colors: z.strictObject(colorFields).check(checkLegibility),
    pictures: z.partialRecord(
      z.enum(THEME_SLOT_NAMES),
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,40}\.(png|jpg|webp|svg)$/, 'A picture must be a file next to look.json.'),
    ),
  })
  .readonly()

/** The values of the published theme that pages need. */
export const siteThemeSchema = z.object({
  stylesheet: z
    .string()
    .nullable()
    .meta({ description: 'The address of the stylesheet with its colors; null for the default colors' }),
  ground: z.string(),
  pictures: z.partialRecord(z.enum(THEME_SLOT_NAMES), z.array(z.string())),
  art: z
    .record(z.string(), z.string())
    .meta({ description: 'Pictures by the addresses of the drawings that they replace' }),
})

export type SiteTheme = z.infer<typeof siteThemeSchema>
