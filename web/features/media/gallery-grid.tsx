import type { Media } from '#contract/media.ts'
import { Link } from '#web/ui/link.tsx'
import styles from './gallery-grid.module.css'
import { picturePath } from './gallery-view.ts'
import { Picture } from './picture.tsx'

/** The pictures seen before any scrolling on a desktop screen. */
const SEEN_AT_ONCE = 3

type Props = { pictures: readonly Media[] /** The address names a picture that is not there. */; missing: boolean }

/** All pictures; each is a link to itself. The first leads, twice as large. */
export function GalleryGrid({ pictures, missing }: Props) {
  return (
    <>
      {missing && (
        <p className={styles.missing} role="status">
          The picture of this address is no longer here. These are.
        </p>
      )}
      <ul className={styles.grid} aria-label="Pictures">
        {pictures.map((picture, index) => (
          <li key={picture.id} className={index === 0 ? styles.lead : undefined}>
            <Link
              id={`picture-${picture.id}`}
              to={picturePath(picture.id)}
              state={{ fromGrid: true }}
              preventScrollReset
              className={styles.card}
            >
              <Picture
                files={picture.previews}
                single={picture.picture}
                alt={picture.alt}
                sizes={
                  index === 0
                    ? '(min-width: 640px) 66vw, 100vw'
                    : '(min-width: 1024px) 330px, (min-width: 640px) 33vw, 50vw'
                }
                eager={index < SEEN_AT_ONCE}
                className={styles.picture}
              />
              <span className={styles.words}>
                <span className={styles.title}>{picture.title}</span>
                <span className={styles.credit}>{picture.credit}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
