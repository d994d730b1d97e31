import { getMedia, type Media } from '#contract/media.ts'
import { useHeadLines } from '#web/api/documents.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { findShownPicture, gallerySearch, getPicturePath } from './gallery-view.ts'
import { Lightbox } from './lightbox.tsx'
import styles from './media.module.css'
import { MediaStates, Picture } from './media-parts.tsx'

/** The gallery, or one picture in large with `?picture=` (MEDIA-1). */
export default function GalleryPage() {
  return (
    <>
      <PageHead crumb="Gallery" title="Gallery" lines={useHeadLines('gallery')} />
      <Pictures />
    </>
  )
}

function Pictures() {
  const { data: answer, isFetching } = useCall(getMedia, { kind: 'gallery' })
  const id = usePageSearch(gallerySearch)
  const data = answer?.data
  if (data === undefined || data.length === 0) {
    return <MediaStates isLoading={isFetching} hasFailed={data === undefined} itemsName="pictures" />
  }
  const shownPicture = findShownPicture(data, id)
  return (
    <div>
      <GalleryGrid pictures={data} isMissing={id !== null && shownPicture === undefined} />
      {shownPicture !== undefined && <Lightbox shownPicture={shownPicture} pictures={data} />}
    </div>
  )
}

/** The number of pictures visible on a desktop screen without scrolling. */
const VISIBLE_AT_FIRST = 3

type GridProps = {
  pictures: readonly Media[] /** Whether the picture in the address does not exist. */
  isMissing: boolean
}

/** All pictures, each linked to its address. The first one is twice as large. */
function GalleryGrid({ pictures, isMissing }: GridProps) {
  return (
    <>
      {isMissing && (
        <p className={`${text.aside} ${styles.missingNote}`} role="status">
          This picture is no longer here, but these are.
        </p>
      )}
      <ul className={styles.grid} aria-label="Pictures">
        {pictures.map((picture, index) => (
          <li key={picture.id} className={index === 0 ? styles.lead : undefined}>
            <Link
              id={`picture-${picture.id}`}
              to={getPicturePath(picture.id)}
              state={{ fromGrid: true }}
              preventScrollReset
              className={styles.frame}
            >
              <Picture
                files={picture.previews}
                fallbackUrl={picture.picture}
                alt={picture.alt}
                sizes={
                  index === 0
                    ? '(min-width: 640px) 66vw, 100vw'
                    : '(min-width: 1024px) 330px, (min-width: 640px) 33vw, 50vw'
                }
                isEager={index < VISIBLE_AT_FIRST}
                className={styles.picture}
              />
              <span className={styles.caption}>
                <span className={styles.name}>{picture.title}</span>
                <span className={styles.credit}>{picture.credit}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
