import type { Insertable } from 'kysely'
import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import type { Captions, StoredFile } from '#contract/media.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { GALLERY, galleryFile, MOVIE, WALLPAPERS } from './media-sizes.ts'
import { readTable, timeSpan } from './read.ts'
import { subtractMs, type World } from './world.ts'

/** The drawings in art/gallery and art/wallpapers have numbers in the order of the table; a movie has a slug. */
const mediaRow = z.strictObject({
  kind: z.enum(['gallery', 'wallpaper', 'movie']),
  slug: z.string().default(''),
  seconds: wholeNumber.optional(),
  age: timeSpan,
  title: z.string(),
  alt: z.string(),
  credit: z.string(),
  description: z.string(),
})

const LANGUAGES = { en: 'English', fil: 'Filipino' }

type Parts = Pick<Insertable<Schema['media']>, 'picture' | 'previews' | 'files' | 'captions' | 'seconds'>

/** Reads the gallery, the wallpapers and the movies. */
export const readMedia = () => readTable('tables/media.csv', mediaRow)

/** Inserts the gallery, the wallpapers and the movies, each kind in its own order. */
export async function insertMedia(tx: Db, { now }: World): Promise<void> {
  const media = readMedia()
  const rows = media.map(({ kind, slug, seconds, age, ...texts }, index) => {
    const position = index - media.findIndex((item) => item.kind === kind)
    const files = {
      gallery: () => listGalleryFiles(position + 1),
      wallpaper: () => listWallpaperFiles(position + 1),
      movie: () => listMovieFiles(slug, seconds),
    }
    return { kind, position, ...texts, created_at: subtractMs(now, age), ...files[kind]() }
  })
  await tx.insertInto('media').values(rows).execute()
}

function listGalleryFiles(number: number): Parts {
  const file = (width: number, format: 'avif' | 'webp'): StoredFile => ({
    url: galleryFile(number, width, format),
    type: `image/${format}`,
    width,
    height: Math.round(width / GALLERY.ratio),
  })
  const previews = [
    ...GALLERY.avif.map((width) => file(width, 'avif')),
    ...GALLERY.webp.map((width) => file(width, 'webp')),
  ]
  // Messengers show this picture for a link.
  return { picture: galleryFile(number, 'share', 'jpg'), previews: JSON.stringify(previews) }
}

function listWallpaperFiles(number: number): Parts {
  const previews: StoredFile[] = (['wide', 'tall'] as const).flatMap((shape) => {
    const [{ width: pictureWidth, height: pictureHeight }] = WALLPAPERS[shape]
    return ['avif', 'webp'].flatMap((format) =>
      WALLPAPERS[`${shape}Previews`].map((width) => ({
        url: `/art/wallpaper-${number}-${shape}-${width}.${format}`,
        type: `image/${format}`,
        width,
        height: Math.round((width * pictureHeight) / pictureWidth),
      })),
    )
  })
  const files: StoredFile[] = [...WALLPAPERS.wide, ...WALLPAPERS.tall].map((box) => ({
    url: `/art/wallpaper-${number}-${box.width}x${box.height}.jpg`,
    type: 'image/jpeg',
    ...box,
  }))
  return { picture: files[0]?.url ?? null, previews: JSON.stringify(previews), files: JSON.stringify(files) }
}

function listMovieFiles(slug: string, seconds: number | undefined): Parts {
  const poster = { url: `/art/movie-${slug}.webp`, type: 'image/webp', ...MOVIE }
  const files: StoredFile[] = ['webm', 'mp4'].map((extension) => ({
    url: `/movies/${slug}.${extension}`,
    type: `video/${extension}`,
    ...MOVIE,
  }))
  const captions: Captions[] = Object.entries(LANGUAGES).map(([language, label]) => ({
    url: `/movies/${slug}.${language}.vtt`,
    language,
    label,
  }))
  return {
    seconds,
    picture: poster.url,
    previews: JSON.stringify([poster]),
    files: JSON.stringify(files),
    captions: JSON.stringify(captions),
  }
}
