import type { Insertable } from 'kysely'
import type { Captions, StoredFile } from '#contract/media.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { type DemoMovie, type DemoPicture, gallery, movies, wallpapers } from './content/media.ts'
import {
  GALLERY,
  galleryFile,
  gallerySharePicture,
  MOVIE,
  moviePoster,
  WALLPAPERS,
  wallpaperFile,
  wallpaperPreview,
} from './content/media-sizes.ts'

type Row = Insertable<Schema['media']>

const art = (name: string) => `/art/${name}`

/** Inserts the gallery, the wallpapers and the movies, each kind in its own order. */
export async function insertMedia(tx: Db, now: Date): Promise<void> {
  const common = ({ title, alt, description, credit, ageMinutes }: DemoPicture, position: number) => ({
    position,
    title,
    alt,
    description,
    credit,
    created_at: new Date(now.getTime() - ageMinutes * 60_000),
  })
  const rows: Row[] = [
    ...gallery.map((entry, i) => ({ ...common(entry, i), ...galleryParts(i + 1) })),
    ...wallpapers.map((entry, i) => ({ ...common(entry, i), ...wallpaperParts(i + 1) })),
    ...movies.map((entry, i) => ({ ...common(entry, i), ...movieParts(entry) })),
  ]
  await tx.insertInto('media').values(rows).execute()
}

function galleryParts(number: number) {
  const file = (width: number, format: 'avif' | 'webp'): StoredFile => ({
    url: art(galleryFile(number, width, format)),
    type: `image/${format}`,
    width,
    height: Math.round(width / GALLERY.ratio),
  })
  const previews = [
    ...GALLERY.avif.map((width) => file(width, 'avif')),
    ...GALLERY.webp.map((width) => file(width, 'webp')),
  ]
  return { kind: 'gallery' as const, picture: art(gallerySharePicture(number)), previews: JSON.stringify(previews) }
}

function wallpaperParts(number: number) {
  const shapes = (['wide', 'tall'] as const).map((shape) => ({
    shape,
    ratio: WALLPAPERS[shape][0].width / WALLPAPERS[shape][0].height,
    widths: WALLPAPERS[`${shape}Previews`],
  }))
  const previews: StoredFile[] = shapes.flatMap(({ shape, ratio, widths }) =>
    (['avif', 'webp'] as const).flatMap((format) =>
      widths.map((width) => ({
        url: art(wallpaperPreview(number, shape, width, format)),
        type: `image/${format}`,
        width,
        height: Math.round(width / ratio),
      })),
    ),
  )
  const files: StoredFile[] = [...WALLPAPERS.wide, ...WALLPAPERS.tall].map((box) => ({
    url: art(wallpaperFile(number, box)),
    type: 'image/jpeg',
    ...box,
  }))
  return {
    kind: 'wallpaper' as const,
    picture: files[0]?.url ?? null,
    previews: JSON.stringify(previews),
    files: JSON.stringify(files),
  }
}

function movieParts({ slug, seconds, captions }: DemoMovie) {
  const poster = { url: art(moviePoster(slug)), type: 'image/webp', ...MOVIE }
  const files: StoredFile[] = ['webm', 'mp4'].map((ending) => ({
    url: `/movies/${slug}.${ending}`,
    type: `video/${ending}`,
    ...MOVIE,
  }))
  const tracks: Captions[] = captions.map(({ language, label }) => ({
    url: `/movies/${slug}.${language}.vtt`,
    language,
    label,
  }))
  return {
    kind: 'movie' as const,
    seconds,
    picture: poster.url,
    previews: JSON.stringify([poster]),
    files: JSON.stringify(files),
    captions: JSON.stringify(tracks),
  }
}
