import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { DIALOG } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import styles from './password-confirm-dialog.module.css'

type Props = {
  open: boolean
  userId: string
  /** Asks the server. @returns what is wrong, or null when the password is right */
  confirm: (password: string) => Promise<string | null>
  onCancel: () => void
}

/** The password-confirm dialog of the account page (SPEC §2.5). */
export function PasswordConfirmDialog({ open, userId, confirm, onCancel }: Props) {
  const formId = useId()
  const { register, handleSubmit, setError, reset, formState } = useForm<{ password: string }>()
  const submit = handleSubmit(async ({ password }) => {
    const wrong = await confirm(password)
    if (wrong !== null) setError('password', { type: 'server', message: wrong }, { shouldFocus: true })
  })
  return (
    <DialogWindow
      open={open}
      title="Confirm your password"
      onClose={onCancel}
      onClosed={() => reset({ password: '' })}
      actions={
        <>
          <Button tone="secondary" onClick={onCancel}>
            {DIALOG.cancel}
          </Button>
          <Button type="submit" form={formId} busy={formState.isSubmitting}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={formId} method="dialog" noValidate onSubmit={submit} className={styles.form}>
        <p>You are logged out when your details are changed.</p>
        <input type="text" name="username" autoComplete="username" value={userId} readOnly hidden />
        <PasswordField
          label="Current Password"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
      </form>
    </DialogWindow>
  )
}
