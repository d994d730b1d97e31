import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { findPassword, findUserId } from '#contract/accounts.ts'
import { PROGRESS_DIALOG_MS } from '#contract/limits.ts'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import { getDialogText } from '#web/api/call.ts'
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
  const { progress, runRequest, showError, close } = useProgress()
  return (
    <>
      <PageHead
        hasScene
        crumb="Find Account"
        title="Find Account"
        lines={['Forgot your user ID or your password? We’ll email you a way back in.']}
      />
      <PaperSheet className={styles.forms}>
        <FindIdPart runRequest={runRequest} showError={showError} />
        <FindPasswordPart runRequest={runRequest} showError={showError} />
      </PaperSheet>
      <ProgressDialog progress={progress} onClose={close} />
    </>
  )
}

type FindProps = {
  runRequest: (send: () => Promise<{ message: string }>) => Promise<void>
  showError: (error: unknown) => void
}

/** The find-ID form (FIND-1). Submitting it clears its field. */
function FindIdPart({ runRequest, showError }: FindProps) {
  const { form, field, createSubmitHandler, send, reset } = useCallForm(findUserId, { onFailure: showError })
  const submit = createSubmitHandler((values) => {
    reset({ findIDEmail: '' })
    return runRequest(() => send(values))
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
function FindPasswordPart({ runRequest, showError }: FindProps) {
  const { form, field, createSubmitHandler, send, reset } = useCallForm(findPassword, { onFailure: showError })
  const submit = createSubmitHandler((values) => {
    reset({ findPWID: '', findPWEmail: '' })
    return runRequest(() => send(values))
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
const TOTAL_SECONDS = PROGRESS_DIALOG_MS / SECOND_MS

/** Shows the progress of FIND-1 for ten seconds, then the server's answer. An error replaces the progress at once (FIND-2). */
function useProgress() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const timer = useRef<ReturnType<typeof setInterval>>(undefined)
  const stopTimer = () => clearInterval(timer.current)
  useEffect(() => () => clearInterval(timer.current), [])

  const showError = (error: unknown) => setProgress({ phase: 'error', text: getDialogText(error) })

  const runRequest = async (send: () => Promise<{ message: string }>) => {
    const startedAt = performance.now()
    setProgress({ phase: 'waiting', seconds: 0 })
    timer.current = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS)
      setProgress({ phase: 'waiting', seconds: Math.min(seconds, TOTAL_SECONDS) })
    }, SECOND_MS)
    try {
      const [{ message }] = await Promise.all([send(), pause(PROGRESS_DIALOG_MS)])
      setProgress({ phase: 'answer', text: message })
    } catch (error) {
      showError(error)
    } finally {
      stopTimer()
    }
  }

  return { progress, runRequest, showError, close: () => setProgress(null) }
}

const PHASES = {
  waiting: { title: 'Looking for your account', tone: 'note' },
  answer: { title: 'Please check your email', tone: 'done' },
  error: { title: DIALOG_TEXTS.errorTitle, tone: 'error' },
} as const

/** The progress bar of a recovery request, then its answer. */
function ProgressDialog({ progress, onClose }: { progress: Progress | null; onClose: () => void }) {
  const [content, setContent] = useState(progress)
  if (progress !== null && progress !== content) setContent(progress)
  const okButton = useRef<HTMLDivElement>(null)
  const phase = progress?.phase
  useEffect(() => {
    if (phase !== 'waiting') okButton.current?.querySelector('button')?.focus()
  }, [phase])
  if (content === null) return null
  const { title, tone } = PHASES[content.phase]
  return (
    <DialogWindow
      open={progress !== null}
      title={title}
      tone={tone}
      onClose={phase === 'waiting' ? undefined : onClose}
      actions={
        content.phase === 'waiting' ? undefined : (
          <div ref={okButton}>
            <Button onClick={onClose}>{DIALOG_TEXTS.confirm}</Button>
          </div>
        )
      }
    >
      {content.phase === 'waiting' ? <TimerBar seconds={content.seconds} /> : <p role="status">{content.text}</p>}
    </DialogWindow>
  )
}

function TimerBar({ seconds }: { seconds: number }) {
  return (
    <div className={styles.timer}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={PHASES.waiting.title}
        aria-valuemin={0}
        aria-valuemax={TOTAL_SECONDS}
        aria-valuenow={seconds}
        aria-valuetext={`${seconds} of ${TOTAL_SECONDS} seconds`}
      >
        <span
          className={styles.filledBar}
          style={{ '--reached': `${(100 * Math.min(seconds + 1, TOTAL_SECONDS)) / TOTAL_SECONDS}%` } as CSSProperties}
        />
      </div>
      <p aria-hidden="true">
        {seconds} of {TOTAL_SECONDS} seconds
      </p>
    </div>
  )
}
