import { type ReactNode, useEffect, useRef, useState } from 'react'
import { RECOVERY_TEXTS, undoEmailChange } from '#contract/accounts.ts'
import { mailedLinkSearch } from '#web/api/browser-search.ts'
import { CallError, call, getAlertText } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './undo-email-page.module.css'

type Phase = 'confirming' | 'running' | 'done' | 'dead'

/**
 * Undoes a change of the email address with the link mailed to the former address. Opening the link only shows this
 * page, because virus scanners open links too; the button undoes the change.
 */
export default function UndoEmailPage() {
  const { token } = usePageSearch(mailedLinkSearch)
  const hasNoToken = useHydrated() && token === ''
  const [phase, setPhase] = useState<Phase>('confirming')
  const [failure, setFailure] = useState<string | null>(null)
  const [doneMessage, setDoneMessage] = useState('')
  const undoChange = async () => {
    setPhase('running')
    setFailure(null)
    try {
      setDoneMessage((await call(undoEmailChange, { token }, { shellFailures: 'ended-session' })).message)
      setPhase('done')
    } catch (error) {
      const isLinkDead = error instanceof CallError && error.status === 422
      setPhase(isLinkDead ? 'dead' : 'confirming')
      if (!isLinkDead) setFailure(getAlertText(error))
    }
  }
  return (
    <>
      <PageHead
        hasScene
        crumb="Undo Email Change"
        title="Undo Email Change"
        lines={[
          'Someone gave your account another email address, or had support help them in. If it was not you, undo it here.',
        ]}
      />
      <PaperSheet>
        {hasNoToken || phase === 'dead' ? (
          <ExpiredLinkPart />
        ) : phase === 'done' ? (
          <DonePart message={doneMessage} />
        ) : (
          <ConfirmPart busy={phase === 'running'} failure={failure} onUndo={() => void undoChange()} />
        )}
      </PaperSheet>
    </>
  )
}

type ConfirmPartProps = { busy: boolean; failure: string | null; onUndo: () => void }

function ConfirmPart({ busy, failure, onUndo }: ConfirmPartProps) {
  return (
    <SheetPart title="It was not me" line="Press the button, and this happens at once:">
      <div className={`${layout.stack} ${styles.part}`}>
        <ul className={styles.list}>
          <li>Your account has this email address again, if it had been changed.</li>
          <li>Every device is logged out, including anyone who is logged in now.</li>
          <li>The password stops working. We email you a link to set a new one.</li>
        </ul>
        <div role="alert">{failure !== null && <p className={styles.failure}>{failure}</p>}</div>
        <div className={layout.buttons}>
          <Button tone="paper" size="lg" busy={busy} onClick={onUndo}>
            Undo the change
          </Button>
        </div>
        <p className={styles.note}>
          Did you change the address or ask support yourself? Then leave this page; nothing has happened.
        </p>
      </div>
    </SheetPart>
  )
}

function DonePart({ message }: { message: string }) {
  return (
    <ResultPart title="It is yours again" line={message}>
      <p className={styles.note}>
        {message === RECOVERY_TEXTS.undone &&
          'The link works for 30 minutes. If it does not arrive, go to the login and choose “Forget your ID or Password”: we will send you another. '}
        Once you are in, check your details, your second password and your whitelisted addresses.
      </p>
      <div className={layout.buttons}>
        <ButtonLink to="/login" tone="paper" size="lg">
          Go to the login
        </ButtonLink>
      </div>
    </ResultPart>
  )
}

function ExpiredLinkPart() {
  return (
    <ResultPart title="Nothing to undo" line={RECOVERY_TEXTS.undoDead}>
      <p className={styles.note}>
        Links work for seven days. When you use a link, all links sent after it stop working.
      </p>
      <div className={layout.buttons}>
        <ButtonLink to="/ticket" tone="paper" size="lg">
          Write to support
        </ButtonLink>
      </div>
    </ResultPart>
  )
}

/** Shows the result. The focus moves here, because the focused button disappears. */
function ResultPart({ title, line, children }: { title: string; line: string; children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => part.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={part} tabIndex={-1} role="status" className={styles.result}>
      <SheetPart title={title} line={line}>
        <div className={`${layout.stack} ${styles.part}`}>{children}</div>
      </SheetPart>
    </div>
  )
}
