import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import styles from './part-popup.module.css'

type PartDialogProps = {
  open: boolean
  titleId: string
  onClose: () => void
  initialFocus: RefObject<HTMLElement | null>
  /** Returns the element that gets the focus once the dialog has closed. */
  finalFocus: () => HTMLElement | null
  children: ReactNode
}

/** A region's popup as a modal dialog: Escape and a press outside close it. Loaded on demand. */
export function PartDialog({ open, titleId, onClose, initialFocus, finalFocus, children }: PartDialogProps) {
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.window}
          aria-labelledby={titleId}
          initialFocus={initialFocus}
          finalFocus={finalFocus}
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
