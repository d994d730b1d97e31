import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from 'react-router'
import type { Media } from '#contract/media.ts'
import { browserClient } from '#web/api/client.ts'
import { unpackQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, type PageData, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { browserQueries } from '#web/api/query-client.ts'
import { picturePath, readPictureId, shownOf } from './gallery-view.ts'
import { mediaQuery } from './queries.ts'

const galleryQuery = mediaQuery('gallery')

export type GalleryData = PageData & {
  /** The picture that the address names; null for none, undefined for one that is not there. */
  shown: Media | null | undefined
}

function shownAt(url: string, pictures: readonly Media[]): Media | null | undefined {
  const id = readPictureId(new URL(url).searchParams)
  return id === null ? null : shownOf(pictures, id)?.picture
}

/** The server's loader of the gallery; 404 for a picture that is not there. */
export async function serverLoadGallery(args: LoaderFunctionArgs) {
  const page = await serverLoad(() => [galleryQuery])(args)
  const shown = shownAt(args.request.url, (unpackQueries(page.dehydrated)[0]?.state.data ?? []) as Media[])
  const answer: GalleryData = { ...page, shown }
  return data(answer, { status: shown === undefined ? 404 : 200 })
}

/** The browser's loader, on every change of picture too: what is known is not asked for again. */
export async function browserLoadGallery(args: ClientLoaderFunctionArgs): Promise<GalleryData> {
  const page = await browserLoad(() => [galleryQuery])(args)
  const pictures = browserQueries().getQueryData(galleryQuery(browserClient).queryKey) ?? []
  return { ...page, shown: shownAt(args.request.url, pictures) }
}

/** The head of the gallery, and of each of its pictures. */
export const galleryMeta: MetaFunction<typeof serverLoadGallery> = ({ matches, loaderData }) => {
  const shown = loaderData?.shown
  if (!shown) {
    return pageMeta(matches, {
      crumb: 'Gallery',
      description:
        'Pictures from the three schools: the roof, the court, the rain at the co-op and the night of the lanterns.',
      path: picturePath(),
      hidden: shown === undefined,
    })
  }
  return pageMeta(matches, {
    crumb: shown.title,
    description: `${shown.description} ${shown.alt}`.trim(),
    picture: shown.picture ?? undefined,
    path: picturePath(shown.id),
  })
}
