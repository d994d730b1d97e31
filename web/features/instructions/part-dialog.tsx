import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import type { PartKey } from './content/part-keys.ts'
import { PARTS } from './content/parts.ts'
import styles from './part-window.module.css'
import { PartWindow } from './part-window.tsx'

type PartDialogProps = {
  open: boolean
  part: PartKey
  onClose: () => void
  focusAfter: () => HTMLElement | null
}

/** A region's popup as a modal window: Escape, the cross and a press beside it close it. */
export function PartDialog({ open, part, onClose, focusAfter }: PartDialogProps) {
  const scrollBox = useRef<HTMLElement>(null)
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.window} initialFocus={scrollBox} finalFocus={focusAfter}>
          <PartWindow
            key={part}
            part={part}
            onClose={onClose}
            scrollBox={scrollBox}
            heading={<Dialog.Title className={styles.title}>{PARTS[part].title}</Dialog.Title>}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
