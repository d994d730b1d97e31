import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { PROGRESS_DIALOG_MS } from '#contract/limits.ts'
import { DIALOG } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import styles from './progress-dialog.module.css'
import type { Progress } from './use-progress.ts'

const SECONDS = PROGRESS_DIALOG_MS / 1000

const LOOKS = {
  waiting: { title: 'Looking for your account', tone: 'note' },
  answer: { title: 'Please look into your mail', tone: 'done' },
  error: { title: DIALOG.errorTitle, tone: 'error' },
} as const

type Props = { progress: Progress | null; onClose: () => void }

/** The timer bar of a recovery request, and what came of it. */
export function ProgressDialog({ progress, onClose }: Props) {
  const [shown, setShown] = useState(progress)
  if (progress !== null && progress !== shown) setShown(progress)
  const ok = useRef<HTMLDivElement>(null)
  const phase = progress?.phase
  useEffect(() => {
    if (phase !== 'waiting') ok.current?.querySelector('button')?.focus()
  }, [phase])
  if (shown === null) return null
  const { title, tone } = LOOKS[shown.phase]
  return (
    <DialogWindow
      open={progress !== null}
      title={title}
      tone={tone}
      onClose={phase === 'waiting' ? undefined : onClose}
      actions={
        shown.phase === 'waiting' ? undefined : (
          <div ref={ok}>
            <Button onClick={onClose}>{DIALOG.confirm}</Button>
          </div>
        )
      }
    >
      {shown.phase === 'waiting' ? <TimerBar seconds={shown.seconds} /> : <p role="status">{shown.text}</p>}
    </DialogWindow>
  )
}

function TimerBar({ seconds }: { seconds: number }) {
  return (
    <div className={styles.timer}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={LOOKS.waiting.title}
        aria-valuemin={0}
        aria-valuemax={SECONDS}
        aria-valuenow={seconds}
        aria-valuetext={`${seconds} of ${SECONDS} seconds`}
      >
        <span
          className={styles.full}
          style={{ '--reached': `${(100 * Math.min(seconds + 1, SECONDS)) / SECONDS}%` } as CSSProperties}
        />
      </div>
      <p aria-hidden="true">
        {seconds} of {SECONDS} seconds
      </p>
    </div>
  )
}
