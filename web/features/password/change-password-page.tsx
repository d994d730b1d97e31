import { useState } from 'react'
import {
  ACCOUNT_TEXTS,
  PASSWORD_TEXTS,
  SECRET_QUESTIONS,
  updatePassword,
  validateSecretAnswer,
} from '#contract/accounts.ts'
import type { ValidFormValues } from '#contract/endpoint.ts'
import { PASSWORD_CHANGED_LOGOUT_MS } from '#contract/limits.ts'
import { formatUnknownError } from '#contract/messages.ts'
import { getUser } from '#contract/session.ts'
import { CallError, getDialogText, isSessionExpired } from '#web/api/call.ts'
import { pause } from '#web/api/guard.ts'
import { useCall } from '#web/api/queries.ts'
import { type SessionUser, useSession } from '#web/api/session.ts'
import { useForgetSession } from '#web/api/session-actions.ts'
import { CallDialog, type CallState, createErrorState } from '#web/forms/call-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { FormActions, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { PasswordField } from '#web/ui/password-field.tsx'
import styles from './new-password.module.css'
import { NewPasswordPair, PasswordTips } from './new-password.tsx'

/** The page for players to change their password (PASS-1). */
export default function ChangePasswordPage() {
  const user = useSession()?.user
  return (
    <>
      <PageHead
        hasScene
        parents={[PARENT_PAGES.account]}
        crumb="Change Password"
        title="Change Password"
        lines={['Your secret answer confirms that it is you.']}
      />
      <div>
        <PaperSheet>{user === undefined ? <FormSkeleton /> : <ChangePasswordPart user={user} />}</PaperSheet>
      </div>
    </>
  )
}

/** Reserves the form's space until the login is known. */
function FormSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

type Passwords = ValidFormValues<typeof updatePassword>

/**
 * The form for the current and the new password. It then prompts for the secret answer (PASS-3), changes the password
 * and logs out (PASS-6).
 */
function ChangePasswordPart({ user }: { user: SessionUser }) {
  const { UserNum, UserID } = user
  const [pendingPasswords, setPendingPasswords] = useState<Passwords | null>(null)
  const [state, setState] = useState<CallState | null>(null)
  const forgetSession = useForgetSession()
  const { form, field, watch, createSubmitHandler, send, showFailure } = useCallForm(updatePassword, {
    input: ({ UserPass, NewUserPass }) => ({ UserNum, UserID, UserPass, NewUserPass }),
    onFailure: (error) => setState(createErrorState(getDialogText(error))),
  })

  const changePassword = async (passwords: Passwords) => {
    setState({ phase: 'running', title: ACCOUNT_TEXTS.processing, text: ACCOUNT_TEXTS.pleaseWait })
    try {
      const { message } = await send(passwords)
      setState({ phase: 'done', title: 'Password changed', text: message })
      await pause(PASSWORD_CHANGED_LOGOUT_MS)
      await forgetSession()
    } catch (error) {
      if (isSessionExpired(error)) setState(null)
      showFailure(error)
    }
  }

  return (
    <SheetPart title="A new password" line="Changing your password logs you out on every device.">
      <div className={styles.withTips}>
        <form
          {...form}
          onSubmit={createSubmitHandler(setPendingPasswords)}
          className={`${layout.stack} ${styles.form}`}
        >
          <input type="text" name="username" autoComplete="username" value={UserID} readOnly hidden />
          <PasswordField label={PASSWORD_TEXTS.currentLabel} autoComplete="current-password" {...field('UserPass')} />
          <NewPasswordPair field={field} password={watch('NewUserPass')} userId={UserID} />
          <FormActions>
            <Button type="submit" tone="paper" size="lg">
              Change Password
            </Button>
          </FormActions>
        </form>
        <PasswordTips />
      </div>
      <SecretAnswerDialog
        open={pendingPasswords !== null}
        user={user}
        onConfirmed={() => {
          setPendingPasswords(null)
          if (pendingPasswords !== null) void changePassword(pendingPasswords)
        }}
        onCancel={() => setPendingPasswords(null)}
      />
      <CallDialog state={state} onClose={() => setState(null)} />
    </SheetPart>
  )
}

type SecretAnswerProps = { open: boolean; user: SessionUser; onConfirmed: () => void; onCancel: () => void }

/** Returns the dialog's text for a refusal. A refusal without a text means a wrong answer (PASS-3). */
function getSecretAnswerError(error: unknown): string {
  const hasNoText = error instanceof CallError && error.message === formatUnknownError(error.status)
  return hasNoText ? PASSWORD_TEXTS.secretAnswerWrong : getDialogText(error)
}

/** Prompts for the secret answer before the password is changed (PASS-3). */
function SecretAnswerDialog({ open, user: { UserNum, UserID }, onConfirmed, onCancel }: SecretAnswerProps) {
  const account = useCall(getUser, {}, { enabled: open, retry: false })
  const question = SECRET_QUESTIONS[(account.data?.data.UserSQ ?? 0) - 1]
  const { form, field, reset, setError, busy } = useCallForm(validateSecretAnswer, {
    input: ({ secretAnswer }) => ({ UserNum, UserID, secretAnswer }),
    onDone: ({ message }) => {
      if (message) onConfirmed()
      else setError('secretAnswer', PASSWORD_TEXTS.secretAnswerWrong)
    },
    onFailure: (error) => {
      setError('secretAnswer', getSecretAnswerError(error))
    },
  })
  return (
    <FormDialog
      open={open}
      title={PASSWORD_TEXTS.confirmTitle}
      onClose={onCancel}
      onClosed={() => reset({ secretAnswer: '' })}
      form={form}
      submitLabel={PASSWORD_TEXTS.submit}
      busy={busy}
    >
      {question !== undefined && (
        <p className={styles.confirmation}>
          Your secret question: <strong>{question}</strong>
        </p>
      )}
      <TextField
        label={PASSWORD_TEXTS.confirmLabel}
        placeholder={PASSWORD_TEXTS.confirmPlaceholder}
        autoComplete="off"
        {...field('secretAnswer')}
      />
    </FormDialog>
  )
}
