import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { findPassword, findUserId } from '#contract/accounts.ts'
import { PROGRESS_DIALOG_MS } from '#contract/limits.ts'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import { dialogText } from '#web/api/call.ts'
import { pause } from '#web/api/guard.ts'
import { FormActions, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './find-account-page.module.css'

/** The page for guests to recover an account (FIND-1). */
export default function FindAccountPage() {
  const { progress, run, fail, close } = useProgress()
  return (
    <>
      <PageHead
        hasScene
        crumb="Find Account"
        title="Find Account"
        lines={['Forgot your user ID or your password? We’ll email you a way back in.']}
      />
      <PaperSheet className={styles.forms}>
        <FindIdPart run={run} fail={fail} />
        <FindPasswordPart run={run} fail={fail} />
      </PaperSheet>
      <ProgressDialog progress={progress} onClose={close} />
    </>
  )
}

type FindProps = { run: (send: () => Promise<{ message: string }>) => Promise<void>; fail: (error: unknown) => void }

/** The find-ID form (FIND-1). Submitting it clears its field. */
function FindIdPart({ run, fail }: FindProps) {
  const { form, field, submitBy, send, reset } = useCallForm(findUserId, { onFailure: fail })
  const submit = submitBy((values) => {
    reset({ findIDEmail: '' })
    return run(() => send(values))
  })
  return (
    <SheetPart title="Find ID" line="We email your user ID to your account’s address.">
      <form {...form} onSubmit={submit} className={`${layout.stack} ${styles.form}`}>
        <TextField label="Email Address" type="email" autoComplete="email" {...field('findIDEmail')} />
        <FormActions>
          <Button type="submit" tone="paper">
            Find ID
          </Button>
        </FormActions>
      </form>
    </SheetPart>
  )
}

/** The find-password form (FIND-1). Submitting it clears its fields. */
function FindPasswordPart({ run, fail }: FindProps) {
  const { form, field, submitBy, send, reset } = useCallForm(findPassword, { onFailure: fail })
  const submit = submitBy((values) => {
    reset({ findPWID: '', findPWEmail: '' })
    return run(() => send(values))
  })
  return (
    <SheetPart title="Find Password" line="We email you a link. It works once, within 30 minutes.">
      <form {...form} onSubmit={submit} className={`${layout.stack} ${styles.form}`}>
        <TextField
          label="User ID"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...field('findPWID')}
        />
        <TextField label="Email Address" type="email" autoComplete="email" {...field('findPWEmail')} />
        <FormActions>
          <Button type="submit" tone="paper">
            Find Password
          </Button>
        </FormActions>
      </form>
    </SheetPart>
  )
}

type Progress =
  | { phase: 'waiting'; seconds: number }
  | { phase: 'answer'; text: string }
  | { phase: 'error'; text: string }

const SECOND_MS = 1000
const SECONDS = PROGRESS_DIALOG_MS / SECOND_MS

/** Shows the progress of FIND-1 for ten seconds, then the server's answer. An error replaces it at once (FIND-2). */
function useProgress() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const ticking = useRef<ReturnType<typeof setInterval>>(undefined)
  const stop = () => clearInterval(ticking.current)
  useEffect(() => () => clearInterval(ticking.current), [])

  const fail = (error: unknown) => setProgress({ phase: 'error', text: dialogText(error) })

  const run = async (send: () => Promise<{ message: string }>) => {
    const startedAt = performance.now()
    setProgress({ phase: 'waiting', seconds: 0 })
    ticking.current = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS)
      setProgress({ phase: 'waiting', seconds: Math.min(seconds, SECONDS) })
    }, SECOND_MS)
    try {
      const [{ message }] = await Promise.all([send(), pause(PROGRESS_DIALOG_MS)])
      setProgress({ phase: 'answer', text: message })
    } catch (error) {
      fail(error)
    } finally {
      stop()
    }
  }

  return { progress, run, fail, close: () => setProgress(null) }
}

const LOOKS = {
  waiting: { title: 'Looking for your account', tone: 'note' },
  answer: { title: 'Please check your email', tone: 'done' },
  error: { title: DIALOG_TEXTS.errorTitle, tone: 'error' },
} as const

/** The progress bar of a recovery request, then its answer. */
function ProgressDialog({ progress, onClose }: { progress: Progress | null; onClose: () => void }) {
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
            <Button onClick={onClose}>{DIALOG_TEXTS.confirm}</Button>
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
          className={styles.filledBar}
          style={{ '--reached': `${(100 * Math.min(seconds + 1, SECONDS)) / SECONDS}%` } as CSSProperties}
        />
      </div>
      <p aria-hidden="true">
        {seconds} of {SECONDS} seconds
      </p>
    </div>
  )
}
