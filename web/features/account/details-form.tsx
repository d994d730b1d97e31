import { useEffect, useRef, useState } from 'react'
import { PASSWORD_TEXTS, updateUserDetails, validatePassword } from '#contract/accounts.ts'
import type { ValidFormValues } from '#contract/endpoint.ts'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import type { User } from '#contract/session.ts'
import { call } from '#web/api/call.ts'
import type { SessionUser } from '#web/api/session.ts'
import { useForgetSession } from '#web/api/session-actions.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { PasswordField } from '#web/ui/password-field.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './account-page.module.css'

type Details = ValidFormValues<typeof updateUserDetails>

type DetailsFormProps = { user: SessionUser; account: User; onCancel: () => void }

/**
 * The form to edit the details (ACCOUNT-4, ACCOUNT-8). It asks for the password, updates the account and logs the
 * player out. A refusal is shown only under its field (FAIL-5).
 */
export function DetailsForm({ user, account, onCancel }: DetailsFormProps) {
  const { UserNum, UserID } = user
  const { UserEmail, NameFirst, NameLast, PhoneNumber } = account
  const [pendingDetails, setPendingDetails] = useState<Details | null>(null)
  const forgetSession = useForgetSession()
  const { form, field, createSubmitHandler, setFocus, showFailure } = useCallForm(updateUserDetails, {
    defaultValues: { UserEmail, NameFirst, NameLast, PhoneNumber, UserPass2: '' },
    onFailure: () => undefined,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form takes the focus once, when it opens.
  useEffect(() => setFocus('NameFirst'), [])

  const refusal = useRef<unknown>(undefined)
  const updateDetails = async (UserPass: string) => {
    if (pendingDetails === null) return
    try {
      const { message } = await call(updateUserDetails, { UserNum, UserID, ...pendingDetails, UserPass })
      void showToast('done', message)
      await forgetSession()
    } catch (error) {
      refusal.current = error
    }
    setPendingDetails(null)
  }
  // Runs after the closing dialog has returned the focus, so the refused field can take it.
  const showRefusal = () => {
    if (refusal.current !== undefined) showFailure(refusal.current)
    refusal.current = undefined
  }

  return (
    <>
      <form {...form} onSubmit={createSubmitHandler(setPendingDetails)} className={`${layout.stack} ${styles.form}`}>
        <TextField label="First Name" autoComplete="given-name" {...field('NameFirst')} />
        <TextField label="Last Name" autoComplete="family-name" {...field('NameLast')} />
        <TextField label="Email" type="email" autoComplete="email" {...field('UserEmail')} />
        <TextField label="Phone Number" hint="optional" type="tel" autoComplete="tel" {...field('PhoneNumber')} />
        <PasswordField
          label="Second Password"
          hint="in-game; leave empty to keep it"
          autoComplete="off"
          {...field('UserPass2')}
        />
        <div className={`${layout.buttons} ${styles.formActions}`}>
          <Button type="submit">Save details</Button>
          <Button tone="secondary" onClick={onCancel}>
            {DIALOG_TEXTS.cancel}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={pendingDetails !== null}
        user={user}
        onConfirmed={updateDetails}
        onCancel={() => setPendingDetails(null)}
        onClosed={showRefusal}
      />
    </>
  )
}

type ConfirmProps = {
  open: boolean
  user: SessionUser
  onConfirmed: (password: string) => Promise<void>
  onCancel: () => void
  onClosed: () => void
}

/** The dialog that asks for the password before the details change (ACCOUNT-4). */
function ConfirmDialog({ open, user: { UserNum, UserID }, onConfirmed, onCancel, onClosed }: ConfirmProps) {
  const { form, field, reset, setError, busy } = useCallForm(validatePassword, {
    input: ({ UserPass }) => ({ UserNum, UserID, UserPass }),
    onDone: async ({ message }, { UserPass }) => {
      if (message) await onConfirmed(UserPass)
      else setError('UserPass', PASSWORD_TEXTS.incorrect)
    },
    onFailure: () => {
      setError('UserPass', PASSWORD_TEXTS.checkFailed)
    },
  })
  return (
    <FormDialog
      open={open}
      title="Confirm your password"
      onClose={onCancel}
      onClosed={() => {
        reset({ UserPass: '' })
        onClosed()
      }}
      form={form}
      submitLabel="Confirm"
      busy={busy}
    >
      <p>Changing your details logs you out.</p>
      <input type="text" name="username" autoComplete="username" value={UserID} readOnly hidden />
      <PasswordField label="Current Password" autoComplete="current-password" {...field('UserPass')} />
    </FormDialog>
  )
}
