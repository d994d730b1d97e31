import { type FormEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { CallError, getAlertText } from '#web/api/call.ts'
import { confirmSession } from '#web/api/confirmation.ts'
import { usePasskeyConfirmation } from '#web/forms/passkey-confirmation.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { PasswordField } from '#web/ui/password-field.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './identity-dialog.module.css'
import { useIdentityPrompt } from './kit/identity.ts'

/** Prompts the operator to confirm their identity before a call that needs it. The call is then retried automatically. */
export function IdentityDialog() {
  const prompt = useIdentityPrompt()
  return prompt === null ? null : <IdentityForm answer={prompt.answer} />
}

function IdentityForm({ answer }: { answer: (isConfirmed: boolean) => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  useEffect(() => dialogRef.current?.showModal(), [])

  const confirmByPasskey = usePasskeyConfirmation({ open: true, onConfirmed: () => answer(true), onFailure: setError })

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const UserPass = String(new FormData(form).get('UserPass') ?? '')
    if (UserPass === '') return setError('Enter your password.')
    setBusy(true)
    try {
      const { password_advice } = await confirmSession({ UserPass })
      answer(true)
      if (password_advice !== null) void showToast('note', password_advice)
    } catch (failure) {
      const fields = failure instanceof CallError ? failure.fields : {}
      setError(fields.UserPass?.[0] ?? getAlertText(failure))
      setBusy(false)
      form.querySelector('input')?.select()
    }
  }

  // Another dialog may be open below this one. It hides the desk from screen readers, but not elements outside the
  // desk's root.
  return createPortal(
    <dialog className={styles.dialog} ref={dialogRef} aria-labelledby="identity-title" onClose={() => answer(false)}>
      <form className={styles.form} data-surface="paper" noValidate onSubmit={(event) => void submit(event)}>
        <h2 id="identity-title">Confirm it’s you</h2>
        <p>
          This involves money, roles or personal data. Enter your password; you won’t be asked again for 15 minutes.
        </p>
        <PasswordField label="Password" name="UserPass" autoComplete="current-password" error={error} autoFocus />
        <div className={layout.buttons}>
          <Button type="submit" tone="paper" busy={busy}>
            Confirm
          </Button>
          {confirmByPasskey !== null && (
            <Button tone="secondary" onClick={() => void confirmByPasskey()}>
              Use a passkey
            </Button>
          )}
          <Button tone="secondary" onClick={() => dialogRef.current?.close()}>
            Cancel
          </Button>
        </div>
      </form>
    </dialog>,
    document.body,
  )
}
