import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Media } from '#contract/media.ts'
import { Link } from '#web/ui/link.tsx'
import { findNeighbour, getPicturePath, type ShownPicture } from './gallery-view.ts'
import styles from './lightbox.module.css'
import { listSources } from './media-files.ts'
import { Picture } from './media-parts.tsx'

/** −1 for the previous picture, 1 for the next one. */
type Step = -1 | 1

const SIZES = '(min-aspect-ratio: 3/2) 120vh, 100vw'

/**
 * A picture above the page. Its buttons are links, so it works without scripts. With scripts it is a modal dialog with
 * keys and swiping, and it preloads the neighbouring pictures.
 */
export function Lightbox({ shownPicture, pictures }: { shownPicture: ShownPicture; pictures: readonly Media[] }) {
  const { picture, number, count, previous, next } = shownPicture
  const ref = useRef<HTMLDialogElement>(null)
  const { turn, close, onKeyDown, state } = useLightbox(ref, shownPicture, pictures)
  const swipe = useSwipe((direction) => turn(direction < 0 ? 1 : -1))
  usePreloadNeighbours(ref, shownPicture, SIZES)

  const closeByLink = (event: MouseEvent) => {
    event.preventDefault()
    close()
  }
  const getTurnLinkProps = (step: Step) => ({
    className: styles.turnLink,
    replace: true,
    state,
    preventScrollReset: true,
    onClick: (event: MouseEvent) => {
      // With a modifier key, the browser opens the link in a new tab or window.
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      turn(step)
    },
  })

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
        <p className={styles.position}>
          {number} <span>of {count}</span>
        </p>
        <Link to={getPicturePath()} className={styles.close} onClick={closeByLink} preventScrollReset>
          Close
          <Cross />
        </Link>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press next to the picture closes, as Close does */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div className={styles.stage} {...swipe} onClick={(event) => event.target === event.currentTarget && close()}>
        <div key={picture.id} className={styles.slide}>
          <Picture
            files={picture.previews}
            fallbackUrl={picture.picture}
            alt={picture.alt}
            sizes={SIZES}
            isEager
            className={styles.picture}
          />
        </div>
      </div>
      <div className={styles.foot}>
        <Link to={getPicturePath(previous.id)} {...getTurnLinkProps(-1)}>
          <Chevron d="M15 3 6 12l9 9" />
          <span className="visually-hidden">Previous picture</span>
        </Link>
        <div className={styles.text} aria-live="polite">
          <h2 id="lightbox-title" className={styles.title}>
            {picture.title}
          </h2>
          <p id="lightbox-words" className={styles.line}>
            {picture.description} <span className={styles.credit}>Picture: {picture.credit}</span>
          </p>
        </div>
        <Link to={getPicturePath(next.id)} {...getTurnLinkProps(1)}>
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

const useBrowserLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

/**
 * Turns the document's dialog into a lightbox: scripts make it modal, arrow keys change the picture, Escape closes it,
 * and the focus returns to the last picture. Pictures replace each other in the history, so Back leaves the lightbox.
 */
function useLightbox(ref: RefObject<HTMLDialogElement | null>, { picture }: ShownPicture, pictures: readonly Media[]) {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { fromGrid?: boolean } | null }
  // The id of the picture that is loading. Quick key presses continue from that picture.
  const pendingId = useRef<number>(null)

  function turn(step: Step) {
    const { id } = findNeighbour(pictures, pendingId.current ?? picture.id, step)
    pendingId.current = id
    void navigate(getPicturePath(id), { replace: true, state, preventScrollReset: true })
  }

  useEffect(() => {
    if (pendingId.current === picture.id) pendingId.current = null
  }, [picture.id])

  function close() {
    if (state?.fromGrid) void navigate(-1)
    else void navigate(getPicturePath(), { replace: true, preventScrollReset: true })
  }

  useBrowserLayoutEffect(() => {
    const dialog = ref.current
    // The document contains the dialog open but not modal, for visitors without scripts.
    dialog?.removeAttribute('open')
    dialog?.showModal()
    return () => dialog?.close()
  }, [ref])

  useEffect(
    () => () => {
      // Also runs when the picture changes. The grid takes the focus only after the lightbox has closed.
      requestAnimationFrame(() => {
        if (document.querySelector('dialog[open]') === null) document.getElementById(`picture-${picture.id}`)?.focus()
      })
    },
    [picture.id],
  )

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    turn(event.key === 'ArrowLeft' ? -1 : 1)
  }

  return { turn, close, onKeyDown, state }
}

/** Preloads the neighbours of a picture after it has loaded, in the format that the browser chose for the picture. */
function usePreloadNeighbours(
  ref: RefObject<HTMLElement | null>,
  { picture, previous, next }: ShownPicture,
  sizes: string,
) {
  useEffect(() => {
    const image = ref.current?.querySelector('img')
    if (!image) return
    const abortController = new AbortController()
    const preloadNeighbours = () => {
      const chosenPath = new URL(image.currentSrc, location.href).pathname
      const type = listSources(picture.previews)?.sources.find(({ srcSet }) => srcSet.includes(chosenPath))?.type
      for (const { previews } of [next, previous]) {
        const source = listSources(previews)?.sources.find((source) => source.type === type)
        if (source) Object.assign(new Image(), { sizes, srcset: source.srcSet })
      }
    }
    if (image.complete && image.currentSrc !== '') preloadNeighbours()
    else image.addEventListener('load', preloadNeighbours, { signal: abortController.signal })
    return () => abortController.abort()
  }, [ref, picture, previous, next, sizes])
}

/** The minimum movement of a swipe, in px. */
const MIN_SWIPE_PX = 48

/**
 * Handles sideways swipes. The element follows the finger through the custom property `--drag`. After a long enough
 * movement, `onSwipe` receives the direction: −1 for left, 1 for right.
 */
function useSwipe(onSwipe: (direction: -1 | 1) => void) {
  const swipeStart = useRef<{ id: number; x: number } | null>(null)

  function setDrag(event: PointerEvent<HTMLElement>, px: number) {
    event.currentTarget.style.setProperty('--drag', `${px}px`)
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'mouse' || !event.isPrimary) {
        swipeStart.current = null
        return
      }
      swipeStart.current = { id: event.pointerId, x: event.clientX }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (swipeStart.current?.id === event.pointerId) setDrag(event, event.clientX - swipeStart.current.x)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (swipeStart.current?.id !== event.pointerId) return
      const distance = event.clientX - swipeStart.current.x
      swipeStart.current = null
      setDrag(event, 0)
      if (Math.abs(distance) >= MIN_SWIPE_PX) onSwipe(distance < 0 ? -1 : 1)
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      swipeStart.current = null
      setDrag(event, 0)
    },
  }
}
