import { z } from 'zod'
import { deskCalls } from './desk.ts'

const desk = deskCalls('site', { read: 'staff', codes: ['use'] })

/** A size in which an uploaded picture is stored, in pixels. JPEG is for downloads. */
export type PictureSize = { width: number; height: number; type: 'image/webp' | 'image/jpeg' | 'image/png' }

export type PictureUse = {
  label: string
  /** Whether the picture is cropped to the proportions of its sizes; otherwise it is scaled to fit. */
  cut: boolean
  /** Largest first. Sizes larger than the picture are skipped, except the first. */
  sizes: readonly PictureSize[]
  /** Whether an SVG drawing is accepted. It is rendered at once and not stored. */
  svg?: boolean
}

const webp = (width: number, height: number): PictureSize => ({ width, height, type: 'image/webp' })
const jpeg = (width: number, height: number): PictureSize => ({ width, height, type: 'image/jpeg' })
const png = (side: number): PictureSize => ({ width: side, height: side, type: 'image/png' })
/** Returns the use of a theme's picture, which may be an SVG drawing. */
const createThemeUse = (label: string, cut: boolean, ...sizes: PictureSize[]) =>
  ({ label, cut, sizes, svg: true }) as const

/** The uses of uploaded pictures, and the sizes of each. */
export const PICTURE_USES = {
  news: { label: 'News picture', cut: true, sizes: [webp(900, 600), webp(450, 300)] },
  'news-text': { label: 'Picture in a text', cut: false, sizes: [webp(1200, 1600)] },
  'item-icon': { label: 'Slot icon', cut: false, sizes: [webp(240, 120)] },
  'item-picture': { label: 'Large picture', cut: false, sizes: [webp(800, 600)] },
  ribbon: { label: 'Ribbon', cut: false, sizes: [webp(116, 44)] },
  banner: { label: 'Banner', cut: true, sizes: [webp(1230, 420)] },
  'banner-phone': { label: 'Banner on phones', cut: true, sizes: [webp(646, 372)] },
  'club-area': { label: 'Club area', cut: true, sizes: [webp(360, 120)] },
  gallery: { label: 'Gallery picture', cut: true, sizes: [webp(1200, 800), webp(480, 320)] },
  share: { label: 'Picture for shared links', cut: true, sizes: [jpeg(1200, 630)] },
  'page-wide': { label: 'Wide picture of a page', cut: true, sizes: [webp(1680, 560), webp(840, 280)] },
  'world-map': { label: 'World map', cut: true, sizes: [webp(1500, 1680), webp(1000, 1120)] },
  'class-poster': { label: 'Poster of a class', cut: true, sizes: [webp(800, 1000), webp(400, 500)] },
  'wallpaper-wide': {
    label: 'Wallpaper for computers',
    cut: true,
    sizes: [jpeg(2560, 1440), jpeg(1920, 1080), webp(960, 540), webp(480, 270)],
  },
  'wallpaper-tall': { label: 'Wallpaper for phones', cut: true, sizes: [jpeg(1080, 2400), webp(360, 800)] },
  'look-logo-wide': createThemeUse('Wide logo', false, webp(576, 112)),
  'look-logo': createThemeUse('Square logo', true, webp(192, 192)),
  'look-icon': createThemeUse('Icon', true, png(512), png(192), png(32)),
  'look-share': createThemeUse('Share picture', true, jpeg(1200, 630)),
  'look-hero': createThemeUse('Home page', true, webp(1920, 570)),
  'look-hero-phone': createThemeUse('Home page on phones', true, webp(760, 800)),
  'look-crest': createThemeUse('Crest', false, webp(256, 304)),
  'look-emblem': createThemeUse('Emblem', false, webp(128, 128)),
  'look-item': createThemeUse('Item', true, webp(480, 240)),
  'look-news': createThemeUse('News', true, webp(900, 600)),
  'look-capsule': createThemeUse('Capsule', false, webp(440, 384)),
  'look-banner': createThemeUse('Banner', true, webp(1230, 420)),
  'look-banner-phone': createThemeUse('Banner on phones', true, webp(646, 372)),
  'look-mark': createThemeUse('Symbol of a currency', false, webp(96, 96)),
  'look-tile': createThemeUse('Tile', false, webp(240, 200)),
  'look-menu': createThemeUse('Menu', false, webp(528, 472)),
  'look-ribbon': createThemeUse('Ribbon', false, webp(116, 44)),
  'look-scene': createThemeUse('Scene', true, webp(960, 520)),
  'look-empty': createThemeUse('Nothing there', false, webp(168, 192)),
  'look-area': createThemeUse('Club area', true, webp(360, 120)),
  'look-figure': createThemeUse('Drawing', true, webp(1440, 440)),
  'look-interface': createThemeUse('Screen of the game', true, webp(1452, 900)),
  'movie-poster': { label: 'Still of a movie', cut: true, sizes: [webp(960, 540)] },
} as const satisfies Record<string, PictureUse>

export type PictureUseName = keyof typeof PICTURE_USES

const PICTURE_USE_NAMES = Object.keys(PICTURE_USES) as PictureUseName[]

export const PICTURE_MAX_BYTES = 12 * 1024 * 1024

/** The part to which a picture is cropped, as fractions of its width and height from 0 to 1. */
export type Crop = { left: number; top: number; width: number; height: number }

export const SVG_MAX_BYTES = 1024 * 1024

export const PICTURE_TEXTS = {
  hint: 'PNG, JPEG or WebP, at most 12 MB.',
  hintWithSvg: 'SVG, PNG, JPEG or WebP, at most 12 MB (SVG 1 MB).',
  svg: (name: string) =>
    `The drawing ${name} cannot be used: an SVG drawing must be at most 1 MB and complete in itself, without links, scripts, filters, pictures or text from outside.`,
  none: 'Choose a picture.',
  crop: 'That part lies outside the picture.',
} as const

const share = z.coerce.number(PICTURE_TEXTS.crop).min(0, PICTURE_TEXTS.crop).max(1, PICTURE_TEXTS.crop)

/** Stores a picture for news, items or the site. An unused picture is deleted 30 days later. */
export const uploadPicture = desk.write('/admin/files', {
  title: 'Upload picture',
  summary: 'Upload a picture; the site crops it and stores it in the sizes of its use',
  idempotent: false,
  input: {
    form: z.object({
      picture: z.file(PICTURE_TEXTS.none).meta({ description: PICTURE_TEXTS.hint }),
      use: z.enum(PICTURE_USE_NAMES, 'Choose what the picture is for.'),
      left: share.optional().meta({ description: 'The part to crop to, as fractions of width and height, 0 to 1' }),
      top: share.optional(),
      width: share.optional(),
      height: share.optional(),
    }),
  },
  output: z.object({
    files: z
      .array(z.object({ url: z.string(), type: z.string(), width: z.int(), height: z.int() }))
      .meta({ description: 'The addresses of the stored sizes, the largest first' }),
  }),
  errors: { tooLarge: { status: 413, message: 'That is too large: at most 12 MB.', field: 'picture' } },
})

export const CAPTIONS_MAX_BYTES = 512 * 1024
export const CAPTIONS_RULE = 'Choose a WebVTT caption file (.vtt) of at most 512 kB.'

/** Stores the captions of a film in the same way as a picture. */
export const uploadCaptions = desk.write('/admin/captions', {
  title: 'Upload captions',
  summary: 'Upload the captions of a film',
  access: 'site.write',
  idempotent: false,
  input: { form: z.object({ captions: z.file(CAPTIONS_RULE).meta({ description: CAPTIONS_RULE }) }) },
  output: z.object({ url: z.string() }),
})
