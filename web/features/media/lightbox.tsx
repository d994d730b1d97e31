import { type MouseEvent, useRef } from 'react'
import { Link } from '#web/ui/link.tsx'
import { picturePath, type Shown } from './gallery-view.ts'
import styles from './lightbox.module.css'
import { Picture } from './picture.tsx'
import { useLightbox } from './use-lightbox.ts'
import { useNeighbours } from './use-neighbours.ts'
import { useSwipe } from './use-swipe.ts'

const SIZES = '(min-aspect-ratio: 3/2) 120vh, 100vw'

/**
 * One picture over the page. Its buttons are links, so that it works as a document; with
 * scripts it is a modal dialog with keys and swiping, and the neighbours are fetched ahead.
 */
export function Lightbox({ shown }: { shown: Shown }) {
  const { picture, number, count, previous, next } = shown
  const ref = useRef<HTMLDialogElement>(null)
  const { show, close, onKeyDown, state } = useLightbox(ref, shown)
  const swipe = useSwipe((direction) => show(direction < 0 ? next.id : previous.id))
  useNeighbours(ref, shown, SIZES)

  const closeByLink = (event: MouseEvent) => {
    event.preventDefault()
    close()
  }
  const turn = { replace: true, state, preventScrollReset: true }

  return (
    <dialog
      ref={ref}
      open
      className={styles.lightbox}
      aria-labelledby="lightbox-title"
      aria-describedby="lightbox-words"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={close}
    >
      <div className={styles.bar}>
        <p className={styles.place}>
          {number} <span>of {count}</span>
        </p>
        <Link to={picturePath()} className={styles.close} onClick={closeByLink} preventScrollReset>
          Close
          <Cross />
        </Link>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside the picture closes, as the Close link does */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div className={styles.stage} {...swipe} onClick={(event) => event.target === event.currentTarget && close()}>
        <div key={picture.id} className={styles.moving}>
          <Picture
            files={picture.previews}
            single={picture.picture}
            alt={picture.alt}
            sizes={SIZES}
            eager
            className={styles.picture}
          />
        </div>
      </div>
      <div className={styles.foot}>
        <Link to={picturePath(previous.id)} className={styles.turn} {...turn}>
          <Chevron d="M15 3 6 12l9 9" />
          <span className="visually-hidden">Previous picture</span>
        </Link>
        <div className={styles.words} aria-live="polite">
          <h2 id="lightbox-title" className={styles.title}>
            {picture.title}
          </h2>
          <p id="lightbox-words" className={styles.line}>
            {picture.description} <span className={styles.credit}>Picture: {picture.credit}</span>
          </p>
        </div>
        <Link to={picturePath(next.id)} className={styles.turn} {...turn}>
          <Chevron d="M9 3l9 9-9 9" />
          <span className="visually-hidden">Next picture</span>
        </Link>
      </div>
    </dialog>
  )
}

function Chevron({ d }: { d: string }) {
  return (
    <svg
      width="28"
      height="28"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )
}

const Cross = () => <Chevron d="M4 4l16 16M20 4 4 20" />
