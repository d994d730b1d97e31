import { lazy, type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { PART_KEYS, PARTS, type PartKey, partNumber } from '#content/instructions.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { Link } from '#web/ui/link.tsx'
import { loadDialog, PART_SEARCH, PartLink } from './part-link.tsx'
import styles from './part-popup.module.css'
import { PartText } from './part-text.tsx'

const LazyDialog = lazy(async () => ({ default: (await loadDialog()).PartDialog }))
const TITLE_ID = 'popup-title'

/**
 * The popup of the region that the address names. Without scripts it is part of the document; until the code of the
 * modal dialog has arrived, a plain popup takes its place.
 */
export function PartPopup() {
  const { part, shown, isOpen, onClose, focusAfter } = usePartPopup()
  const hydrated = useHydrated()
  const scrollBox = useRef<HTMLElement>(null)
  if (shown === null) return null
  const plain =
    part === null ? null : (
      <PlainPopup key={part} part={part} isOpen={isOpen} onClose={onClose} focusAfter={focusAfter} />
    )
  if (!hydrated) return plain
  return (
    <Suspense fallback={plain}>
      <LazyDialog
        open={part !== null}
        titleId={TITLE_ID}
        onClose={onClose}
        initialFocus={scrollBox}
        finalFocus={focusAfter}
      >
        <PartWindow key={shown} part={shown} onClose={onClose} scrollBox={scrollBox} />
      </LazyDialog>
    </Suspense>
  )
}

/** Which popup the address names, and how to close it. */
function usePartPopup() {
  const navigate = useNavigate()
  const openedHere = useLocation().state?.openedHere === true
  const part = usePageSearch(PART_SEARCH)
  const [shown, setShown] = useState(part)
  if (part !== null && part !== shown) setShown(part)
  const opener = useOpener(part)
  const open = useRef(part !== null)
  useLayoutEffect(() => {
    open.current = part !== null
  }, [part])

  return {
    part,
    /** The part that is open, or that is closing. */
    shown,
    /** Whether the address names a part now, for effects that run after a rendering. */
    isOpen: () => open.current,
    /** Goes back if the popup was opened on this page, so that closing leaves no extra history entry. */
    onClose: () => {
      if (openedHere) navigate(-1)
      else navigate('/instructions', { replace: true, preventScrollReset: true })
    },
    /** What to focus after closing: the link that opened this part, otherwise its region in the picture. */
    focusAfter: () =>
      opener.current?.isConnected && opener.current.dataset.part === shown
        ? opener.current
        : document.getElementById(`region-${shown}`),
  }
}

/** The link that was focused when a popup opened. Popups take the focus in effects that run after this one. */
function useOpener(part: PartKey | null) {
  const opener = useRef<HTMLElement | null>(null)
  const open = part !== null
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
  }, [open])
  return opener
}

type PlainPopupProps = {
  part: PartKey
  isOpen: () => boolean
  onClose: () => void
  focusAfter: () => HTMLElement | null
}

/** The popup without the dialog's code: Escape closes it and the focus stays inside. */
function PlainPopup({ part, isOpen, onClose, focusAfter }: PlainPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  const scrollBox = useRef<HTMLElement>(null)
  const latest = useRef({ isOpen, onClose, focusAfter })
  useLayoutEffect(() => {
    latest.current = { isOpen, onClose, focusAfter }
  })
  useEffect(() => {
    const closeByEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current.onClose()
    }
    const keepFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Node && popup.current?.contains(target))) scrollBox.current?.focus()
    }
    scrollBox.current?.focus()
    document.addEventListener('keydown', closeByEscape)
    document.addEventListener('focusin', keepFocus)
    return () => {
      document.removeEventListener('keydown', closeByEscape)
      document.removeEventListener('focusin', keepFocus)
      // When the dialog takes over, the address still names a part and the dialog takes the focus itself.
      if (!latest.current.isOpen()) latest.current.focusAfter()?.focus()
    }
  }, [])
  return (
    <>
      <div className={styles.backdrop} onPointerDown={onClose} />
      <div ref={popup} className={styles.window} role="dialog" aria-labelledby={TITLE_ID}>
        <PartWindow part={part} onClose={onClose} scrollBox={scrollBox} />
      </div>
    </>
  )
}

type PartWindowProps = { part: PartKey; onClose: () => void; scrollBox: RefObject<HTMLElement | null> }

/** The inside of a popup: number and title, the text, and links to the neighbouring regions. */
function PartWindow({ part, onClose, scrollBox }: PartWindowProps) {
  const at = PART_KEYS.indexOf(part)
  const previous = PART_KEYS[at - 1]
  const next = PART_KEYS[at + 1]
  return (
    <div className={styles.inner}>
      <div className={styles.bar}>
        <span className={styles.number} aria-hidden="true">
          {partNumber(part)}
        </span>
        <h2 className={styles.title} id={TITLE_ID}>
          {PARTS[part].title}
        </h2>
        <Link
          to="/instructions"
          className={styles.close}
          preventScrollReset
          onClick={(event) => {
            event.preventDefault()
            onClose()
          }}
        >
          <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M2 2 18 18M18 2 2 18" stroke="currentColor" strokeWidth="3" />
          </svg>
          <span className="visually-hidden">Close</span>
        </Link>
      </div>
      <section
        className={styles.scroll}
        ref={scrollBox}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        tabIndex={0}
        aria-label={`${PARTS[part].title}: text`}
      >
        <PartText part={part} />
      </section>
      <nav className={styles.foot} aria-label="Other regions">
        {previous === undefined ? (
          <span />
        ) : (
          <PartLink part={previous}>
            <span aria-hidden="true">← </span>
            <span className="visually-hidden">Previous: </span>
            {PARTS[previous].title}
          </PartLink>
        )}
        {next !== undefined && (
          <PartLink part={next}>
            <span className="visually-hidden">Next: </span>
            {PARTS[next].title}
            <span aria-hidden="true"> →</span>
          </PartLink>
        )}
      </nav>
    </div>
  )
}
