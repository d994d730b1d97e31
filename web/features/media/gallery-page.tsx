import { getMedia } from '#contract/media.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { GalleryGrid } from './gallery-grid.tsx'
import { gallerySearch, shownOf } from './gallery-view.ts'
import { Lightbox } from './lightbox.tsx'
import { MediaStates } from './media-states.tsx'

/** The gallery; with `?picture=` one of its pictures large. */
export default function GalleryPage() {
  return (
    <>
      <PageHead
        crumb="Gallery"
        title="Gallery"
        lines={['Kept by the players who were there. Most of it happened after lights out.']}
      />
      <Pictures />
    </>
  )
}

function Pictures() {
  const { data: answer, isFetching } = useCall(getMedia, { kind: 'gallery' })
  const id = usePageSearch(gallerySearch)
  const data = answer?.data
  if (data === undefined || data.length === 0) {
    return <MediaStates loading={isFetching} failed={data === undefined} what="pictures" />
  }
  const shown = shownOf(data, id)
  return (
    <div>
      <GalleryGrid pictures={data} missing={id !== null && shown === undefined} />
      {shown !== undefined && <Lightbox shown={shown} />}
    </div>
  )
}
