import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { INTERFACE_PART_KEYS, INTERFACE_PARTS, type InterfacePartKey } from '#contract/documents.ts'
import { usePageSearch } from '#web/api/page.ts'
import { Link } from '#web/ui/link.tsx'
import { PART_SEARCH, PartLink } from './part-link.tsx'
import styles from './part-popup.module.css'
import { PartText } from './part-text.tsx'
import { findLinkedPart, getPartNumber } from './parts.ts'

const getPath = ({ pathname, search }: HTMLAnchorElement) => pathname + search

const TITLE_ID = 'popup-title'

/** The popup of the region in the address. It is part of the document, and becomes modal when scripts run. */
export function PartPopup() {
  const { part, shownPart, dialog, scrollBox, onClose } = usePartPopup()
  if (shownPart === null) return null
  const isClosing = part === null ? '' : undefined
  return (
    <>
      <div className={styles.backdrop} data-ending-style={isClosing} />
      <dialog
        ref={dialog}
        open
        className={styles.window}
        data-ending-style={isClosing}
        aria-labelledby={TITLE_ID}
        onCancel={(event) => {
          event.preventDefault()
          onClose()
        }}
        onClose={() => part !== null && onClose()}
        // Only a press outside the window has the dialog itself as its target.
        onPointerDown={(event) => event.target === event.currentTarget && onClose()}
      >
        <PartWindow key={shownPart} part={shownPart} onClose={onClose} scrollBox={scrollBox} />
      </dialog>
    </>
  )
}

const useBrowserLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

/** Opens, focuses and closes the popup of the address. */
function usePartPopup() {
  const navigate = useNavigate()
  const isOpenedHere = useLocation().state?.openedHere === true
  const part = usePageSearch(PART_SEARCH)
  // The region whose popup is open or closing.
  const [shownPart, setShownPart] = useState(part)
  if (part !== null && part !== shownPart) setShownPart(part)
  const dialog = useRef<HTMLDialogElement>(null)
  const scrollBox = useRef<HTMLElement>(null)
  const opener = useRef<Element>(null)

  useBrowserLayoutEffect(() => {
    if (part === null) {
      if (!dialog.current?.open) return
      dialog.current.close()
      // The link that opened this popup, or the region in the picture.
      const link =
        opener.current instanceof HTMLAnchorElement &&
        findLinkedPart(getPath(opener.current)) === shownPart &&
        opener.current
      ;(link || document.getElementById(`region-${shownPart}`))?.focus()
      return
    }
    if (!dialog.current?.matches(':modal')) {
      opener.current = document.activeElement
      // The document contains the dialog open but not modal, for visitors without scripts.
      dialog.current?.removeAttribute('open')
      dialog.current?.showModal()
    }
    scrollBox.current?.focus()
  }, [part, shownPart])

  return {
    part,
    shownPart,
    dialog,
    scrollBox,
    /** Goes back if the popup was opened on this page, to leave no extra history entry. */
    onClose: () => {
      if (isOpenedHere) navigate(-1)
      else navigate('/instructions', { replace: true, preventScrollReset: true })
    },
  }
}

type PartWindowProps = { part: InterfacePartKey; onClose: () => void; scrollBox: RefObject<HTMLElement | null> }

/** The content of a popup: number, title, text, and links to the neighbouring regions. */
function PartWindow({ part, onClose, scrollBox }: PartWindowProps) {
  const index = INTERFACE_PART_KEYS.indexOf(part)
  const previousPart = INTERFACE_PART_KEYS[index - 1]
  const nextPart = INTERFACE_PART_KEYS[index + 1]
  return (
    <div className={styles.inner}>
      <div className={styles.bar}>
        <span className={styles.number} aria-hidden="true">
          {getPartNumber(part)}
        </span>
        <h2 className={styles.title} id={TITLE_ID}>
          {INTERFACE_PARTS[part]}
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the box
        tabIndex={0}
        aria-label={`${INTERFACE_PARTS[part]}: text`}
      >
        <PartText part={part} />
      </section>
      <nav className={styles.foot} aria-label="Other regions">
        {previousPart === undefined ? (
          <span />
        ) : (
          <PartLink part={previousPart}>
            <span aria-hidden="true">← </span>
            <span className="visually-hidden">Previous: </span>
            {INTERFACE_PARTS[previousPart]}
          </PartLink>
        )}
        {nextPart !== undefined && (
          <PartLink part={nextPart}>
            <span className="visually-hidden">Next: </span>
            {INTERFACE_PARTS[nextPart]}
            <span aria-hidden="true"> →</span>
          </PartLink>
        )}
      </nav>
    </div>
  )
}
