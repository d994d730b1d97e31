import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import layout from '#web/ui/layout.module.css'
import styles from './dialog.module.css'
import { useLayer } from './layers.ts'

type DialogTone = 'ask' | 'done' | 'error' | 'note'

export type DialogWindowProps = {
  open: boolean
  /** Called on Escape and Back. Without it, only the parent can close the dialog. */
  onClose?: (() => void) | undefined
  title: string
  tone?: DialogTone | undefined
  /** Buttons at the bottom. */
  actions?: ReactNode
  children: ReactNode
  /** Called at the end of the closing animation. */
  onClosed?: (() => void) | undefined
}

/**
 * The window of a dialog. It traps the focus; the page behind is dimmed, inert and does not scroll. The focus starts in
 * the first field of a form, otherwise on the title, and never on a button with an effect.
 */
export function DialogWindow({ open, onClose, onClosed, title, tone = 'ask', actions, children }: DialogWindowProps) {
  const popup = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayer(open, onClose)
  // The pressed button may disappear with the previous content of the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title means new content
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [title])
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose?.()
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClosed?.()
      }}
      disablePointerDismissal
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          ref={popup}
          className={`${styles.window} ${styles[tone]}`}
          // On a touch screen, a focused field would open the keyboard over the dialog.
          initialFocus={(interactionType) =>
            (interactionType !== 'touch' && popup.current?.querySelector<HTMLElement>(FIELD_SELECTOR)) ||
            heading.current
          }
        >
          <div className={styles.inner}>
            <Dialog.Title className={styles.title} ref={heading} tabIndex={-1}>
              {title}
            </Dialog.Title>
            <Dialog.Description className={styles.text} render={<div />}>
              {children}
            </Dialog.Description>
            {actions !== undefined && <div className={`${layout.buttons} ${styles.actions}`}>{actions}</div>}
          </div>
        </Dialog.Popup>
        {/* Rendered after the popup, because it needs the popup's element. */}
        {open && <InertPage exceptRef={popup} />}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const FIELD_SELECTOR = 'form :is(input, select, textarea):not([hidden], [type=hidden], [readonly])'

/** While rendered, it makes the page inert, except for the dialog and the toasts. */
function InertPage({ exceptRef }: { exceptRef: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => {
    const otherElements = [...document.body.children].filter(
      (element) => !element.contains(exceptRef.current) && !element.matches('[inert], [data-toasts]'),
    )
    for (const element of otherElements) element.toggleAttribute('inert', true)
    return () => {
      for (const element of otherElements) element.removeAttribute('inert')
    }
  }, [exceptRef])
  return null
}
