import { z } from 'zod'
import { MINUTE_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { offsetMoment } from './scalars.ts'

const media = declareCalls('media', 'public')

export const MEDIA_KINDS = ['gallery', 'wallpaper', 'movie'] as const

/** A file as operators enter it: its address, media type and size in pixels. */
const storedFileSchema = z.object({
  url: z.string().meta({ description: 'A path on this site or a full address' }),
  type: z.string().meta({ description: 'The media type, such as image/avif' }),
  width: z.int().positive(),
  height: z.int().positive(),
})

const mediaFileSchema = storedFileSchema
  .extend({ bytes: z.int().nullable().meta({ description: 'null if the file is not on this site' }) })
  .meta({ id: 'MediaFile' })

const captionsSchema = z.object({
  url: z.string(),
  language: z.string().meta({ description: 'BCP 47, such as en or fil' }),
  label: z.string(),
})

/** A gallery picture, a wallpaper or a movie. */
const mediaSchema = z
  .object({
    id: z.int(),
    title: z.string(),
    description: z.string(),
    alt: z.string().meta({ description: 'What the picture shows, for people who cannot see it' }),
    credit: z.string(),
    created_at: offsetMoment,
    picture: z.string().nullable().meta({ description: 'The picture for previews on other sites' }),
    previews: z.array(storedFileSchema).meta({ description: 'The picture in several sizes and formats' }),
    files: z.array(mediaFileSchema).meta({ description: "A wallpaper's resolutions, a movie's formats" }),
    captions: z.array(captionsSchema),
    seconds: z.int().nullable(),
  })
  .meta({ id: 'Media' })

export type Media = z.infer<typeof mediaSchema>
export type MediaKind = (typeof MEDIA_KINDS)[number]
export type MediaFile = z.infer<typeof mediaFileSchema>
export type StoredFile = z.infer<typeof storedFileSchema>
export type Captions = z.infer<typeof captionsSchema>

export const getMedia = media.get('/media/{kind}', {
  summary: 'Gallery pictures, wallpapers or movies, in their order',
  cache: { freshMs: 5 * MINUTE_MS },
  input: { params: z.object({ kind: z.enum(MEDIA_KINDS, 'Kind must be gallery, wallpaper or movie.') }) },
  output: z.object({ data: z.array(mediaSchema) }),
})
