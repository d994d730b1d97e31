import { useForm } from 'react-hook-form'
import { PASSWORD } from '#contract/account-messages.ts'
import type { SessionUser } from '#web/api/session.ts'
import { CallDialog } from '#web/features/account/call-dialog.tsx'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import grid from '#web/forms/sheet.module.css'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { NewPasswordPair } from './new-password-pair.tsx'
import styles from './password-form.module.css'
import { type ChangePasswordForm, checkChangePassword } from './password-rules.ts'
import { PasswordTips } from './password-tips.tsx'
import { SecretAnswerDialog } from './secret-answer-dialog.tsx'
import { usePasswordChange } from './use-password-change.ts'

const resolver = resolverOf(checkChangePassword)

/** Current, new and retyped password, then the secret answer (SPEC §2.14, §5). */
export function ChangePasswordFormSheet({ user }: { user: SessionUser }) {
  const { register, watch, handleSubmit, formState } = useForm<ChangePasswordForm>({ resolver })
  const { asking, ask, cancel, confirm, state, close } = usePasswordChange(user)
  return (
    <>
      <PaperSheet>
        <SheetPart title="A new password" line="Every device is logged out when the password is changed.">
          <div className={styles.beside}>
            <form method="dialog" noValidate onSubmit={handleSubmit(ask)} className={styles.form}>
              <input type="text" name="username" autoComplete="username" value={user.UserID} readOnly hidden />
              <PasswordField
                label={PASSWORD.currentLabel}
                autoComplete="current-password"
                error={formState.errors.current?.message}
                {...register('current')}
              />
              <NewPasswordPair
                newPassword={register('newPassword')}
                retyped={register('retyped')}
                typed={watch('newPassword') ?? ''}
                errors={formState.errors}
                userId={user.UserID}
              />
              <div className={grid.actions}>
                <Button type="submit" tone="paper" size="lg">
                  Change Password
                </Button>
              </div>
            </form>
            <PasswordTips />
          </div>
        </SheetPart>
      </PaperSheet>
      <SecretAnswerDialog open={asking} user={user} confirm={confirm} onCancel={cancel} />
      <CallDialog state={state} onClose={close} />
    </>
  )
}
