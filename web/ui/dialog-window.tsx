import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import layout from '#web/ui/layout.module.css'
import styles from './dialog.module.css'

type DialogTone = 'ask' | 'done' | 'error' | 'note'

export type DialogWindowProps = {
  open: boolean
  /** Called by Escape. Without it the dialog stays until its owner closes it. */
  onClose?: (() => void) | undefined
  title: string
  tone?: DialogTone | undefined
  /** Buttons at the foot. */
  actions?: ReactNode
  children: ReactNode
  /** Called when the closing motion has ended. */
  onClosed?: (() => void) | undefined
}

/** The window itself: focus stays inside, the page behind is dimmed and does not scroll. */
export function DialogWindow({ open, onClose, onClosed, title, tone = 'ask', actions, children }: DialogWindowProps) {
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose?.()
      }}
      onOpenChangeComplete={(next) => {
        if (!next) onClosed?.()
      }}
      disablePointerDismissal
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={`${styles.window} ${styles[tone]}`}>
          <div className={styles.inner}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Description className={styles.text} render={<div />}>
              {children}
            </Dialog.Description>
            {actions !== undefined && <div className={`${layout.buttons} ${styles.actions}`}>{actions}</div>}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
