import { z } from 'zod'
import { declareDeskCalls } from './desk.ts'

const desk = declareDeskCalls('site', { read: 'staff', notPersonal: ['use'] })

/** A size in which an uploaded picture is stored, in pixels. JPEG is for wallpapers and shared links, PNG for icons. */
export type PictureSize = { width: number; height: number; type: 'image/webp' | 'image/jpeg' | 'image/png' }

export type PictureUse = {
  label: string
  /** Whether the picture is cropped to the proportions of its sizes; otherwise it is scaled to fit. */
  cut: boolean
  /** Largest first. Sizes larger than the picture are skipped, except the first. */
  sizes: readonly PictureSize[]
  /** Whether an SVG drawing is accepted. It is converted to the sizes at once and not stored. */
  svg?: boolean
}

const webpSize = (width: number, height: number): PictureSize => ({ width, height, type: 'image/webp' })
const jpegSize = (width: number, height: number): PictureSize => ({ width, height, type: 'image/jpeg' })
const pngSize = (side: number): PictureSize => ({ width: side, height: side, type: 'image/png' })
/** Returns the use of a theme's picture, which may be an SVG drawing. */
const createThemeUse = (label: string, isCropped: boolean, ...sizes: PictureSize[]) =>
  ({ label, cut: isCropped, sizes, svg: true }) as const

/** The uses of uploaded pictures, and the sizes of each. */
export const PICTURE_USES = {
  news: { label: 'News picture', cut: true, sizes: [webpSize(900, 600), webpSize(450, 300)] },
  'news-text': { label: 'Picture in a text', cut: false, sizes: [webpSize(1200, 1600)] },
  'item-icon': { label: 'Slot icon', cut: false, sizes: [webpSize(240, 120)] },
  'item-picture': { label: 'Large picture', cut: false, sizes: [webpSize(800, 600)] },
  ribbon: { label: 'Ribbon', cut: false, sizes: [webpSize(116, 44)] },
  banner: { label: 'Banner', cut: true, sizes: [webpSize(1230, 420)] },
  'banner-phone': { label: 'Banner on phones', cut: true, sizes: [webpSize(646, 372)] },
  'club-area': { label: 'Club area', cut: true, sizes: [webpSize(360, 120)] },
  gallery: { label: 'Gallery picture', cut: true, sizes: [webpSize(1200, 800), webpSize(480, 320)] },
  share: { label: 'Picture for shared links', cut: true, sizes: [jpegSize(1200, 630)] },
  'page-wide': { label: 'Wide picture of a page', cut: true, sizes: [webpSize(1680, 560), webpSize(840, 280)] },
  'world-map': { label: 'World map', cut: true, sizes: [webpSize(1500, 1680), webpSize(1000, 1120)] },
  'class-poster': { label: 'Poster of a class', cut: true, sizes: [webpSize(800, 1000), webpSize(400, 500)] },
  'wallpaper-wide': {
    label: 'Wallpaper for computers',
    cut: true,
    sizes: [jpegSize(2560, 1440), jpegSize(1920, 1080), webpSize(960, 540), webpSize(480, 270)],
  },
  'wallpaper-tall': { label: 'Wallpaper for phones', cut: true, sizes: [jpegSize(1080, 2400), webpSize(360, 800)] },
  'look-logo-wide': createThemeUse('Wide logo', false, webpSize(576, 112)),
  'look-logo': createThemeUse('Square logo', true, webpSize(192, 192)),
  'look-icon': createThemeUse('Icon', true, pngSize(512), pngSize(192), pngSize(32)),
  'look-share': createThemeUse('Share picture', true, jpegSize(1200, 630)),
  'look-hero': createThemeUse('Home page', true, webpSize(1920, 570)),
  'look-hero-phone': createThemeUse('Home page on phones', true, webpSize(760, 800)),
  'look-crest': createThemeUse('Crest', false, webpSize(256, 304)),
  'look-emblem': createThemeUse('Emblem', false, webpSize(128, 128)),
  'look-item': createThemeUse('Item', true, webpSize(480, 240)),
  'look-news': createThemeUse('News', true, webpSize(900, 600)),
  'look-capsule': createThemeUse('Capsule', false, webpSize(440, 384)),
  'look-banner': createThemeUse('Banner', true, webpSize(1230, 420)),
  'look-banner-phone': createThemeUse('Banner on phones', true, webpSize(646, 372)),
  'look-mark': createThemeUse('Symbol of a currency', false, webpSize(96, 96)),
  'look-tile': createThemeUse('Tile', false, webpSize(240, 200)),
  'look-menu': createThemeUse('Menu', false, webpSize(528, 472)),
  'look-ribbon': createThemeUse('Ribbon', false, webpSize(116, 44)),
  'look-scene': createThemeUse('Scene', true, webpSize(960, 520)),
  'look-empty': createThemeUse('Nothing there', false, webpSize(168, 192)),
  'look-area': createThemeUse('Club area', true, webpSize(360, 120)),
  'look-figure': createThemeUse('Drawing', true, webpSize(1440, 440)),
  'look-interface': createThemeUse('Screen of the game', true, webpSize(1452, 900)),
  'movie-poster': { label: 'Still of a movie', cut: true, sizes: [webpSize(960, 540)] },
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
  crop: 'This part lies outside the picture.',
} as const

const fractionField = z.coerce.number(PICTURE_TEXTS.crop).min(0, PICTURE_TEXTS.crop).max(1, PICTURE_TEXTS.crop)

/** Stores a picture. A picture that is not used is deleted after 30 days. */
export const uploadPicture = desk.write('/admin/files', {
  title: 'Upload picture',
  summary: 'Upload a picture; the site crops it and stores it in the sizes of its use',
  idempotent: false,
  input: {
    form: z.object({
      picture: z.file(PICTURE_TEXTS.none).meta({ description: PICTURE_TEXTS.hint }),
      use: z.enum(PICTURE_USE_NAMES, 'Choose what the picture is for.'),
      left: fractionField
        .optional()
        .meta({ description: 'The part to crop to, as fractions of width and height, 0 to 1' }),
      top: fractionField.optional(),
      width: fractionField.optional(),
      height: fractionField.optional(),
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
