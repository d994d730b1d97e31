import type { ReactNode } from 'react'

export type DialogTone = 'ask' | 'done' | 'error' | 'note'

/** What a dialog was answered with. */
export type Answer = 'confirm' | 'deny' | 'cancel'

export type Question = {
  title: string
  text: string
  confirm: string
  deny?: string
  cancel?: string
  tone?: DialogTone
}

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
