import type { ReactNode } from 'react'

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
