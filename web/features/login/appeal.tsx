import { useState } from 'react'
import { APPEAL_TEXTS, appealBlock } from '#contract/appeals.ts'
import { APPEAL_TEXT_MAX } from '#contract/limits.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { type BlockedLogin, storeLogin } from '#web/api/incomplete-login.ts'
import { TextArea } from '#web/forms/fields.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import styles from './login-page.module.css'

/** Shows a blocked player the reason, with a form for a single appeal against the block (SUPPORT-2). */
export function Appeal({ login: { message, ...credentials } }: { login: BlockedLogin }) {
  const [closingMessage, setClosingMessage] = useState<string | null>(null)
  const { form, field, watch, busy, failure } = useCallForm(appealBlock, {
    defaultValues: { ...credentials, text: '' },
    onDone: (answer) => setClosingMessage(answer.message),
    onFailure: (error, isInFields) => {
      // An earlier appeal exists, so there is nothing left to send.
      if (error instanceof CallError && error.status === 409) setClosingMessage(getAlertText(error))
      else return isInFields ? undefined : getAlertText(error)
    },
  })
  return (
    <div className={styles.body} data-for="guest">
      <p className={styles.errorNote} role="status">
        {message}
      </p>
      <div role="status">{closingMessage !== null && <p className={styles.successNote}>{closingMessage}</p>}</div>
      {closingMessage === null && (
        <form {...form} className={layout.stack12}>
          <p>
            {APPEAL_TEXTS.line} The <Link to="/operationpolicy#appeals">Operation Policy</Link> explains how we decide.
          </p>
          <TextArea label={APPEAL_TEXTS.field} text={watch('text') ?? ''} limit={APPEAL_TEXT_MAX} {...field('text')} />
          {failure !== null && (
            <p className={styles.errorNote} role="alert">
              {failure}
            </p>
          )}
          <Button type="submit" tone="paper" size="lg" busy={busy}>
            {APPEAL_TEXTS.send}
          </Button>
        </form>
      )}
      <div className={styles.links}>
        <button type="button" onClick={() => storeLogin(null)}>
          Log in with another account
        </button>
      </div>
    </div>
  )
}
