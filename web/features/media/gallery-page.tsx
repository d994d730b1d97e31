import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useSearchParams } from 'react-router'
import { browserClient } from '#web/api/client.ts'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { GalleryGrid } from './gallery-grid.tsx'
import { browserLoadGallery, galleryMeta, serverLoadGallery } from './gallery-loads.ts'
import { readPictureId, shownOf } from './gallery-view.ts'
import { Lightbox } from './lightbox.tsx'
import { MediaStates } from './media-states.tsx'
import { mediaQuery } from './queries.ts'

export const loader = serverLoadGallery
export const clientLoader = browserLoadGallery
export const meta = galleryMeta

/** The gallery; with `?picture=` one of its pictures large. */
export default function GalleryPage() {
  const { dehydrated } = useLoaderData<typeof loader>()
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead
        crumb="Gallery"
        title="Gallery"
        lines={['Kept by the players who were there. Most of it happened after lights out.']}
      />
      <Pictures />
    </HydrateQueries>
  )
}

function Pictures() {
  const { data, isFetching } = useQuery(mediaQuery('gallery')(browserClient))
  const [query] = useSearchParams()
  if (data === undefined || data.length === 0) {
    return <MediaStates loading={isFetching} failed={data === undefined} what="pictures" />
  }
  const id = readPictureId(query)
  const shown = shownOf(data, id)
  return (
    <div>
      <GalleryGrid pictures={data} missing={id !== null && shown === undefined} />
      {shown !== undefined && <Lightbox shown={shown} />}
    </div>
  )
}
