import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { resetPassword } from '#contract/accounts.ts'
import { call, dialogText } from '#web/api/call.ts'
import { CallDialog, type CallState, errorState } from '#web/features/account/call-dialog.tsx'
import grid from '#web/features/account/form-grid.module.css'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import { SheetPart } from '#web/features/account/paper-sheet.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { showToast, warmToasts } from '#web/ui/toast.ts'
import { NewPasswordPair } from './new-password-pair.tsx'
import styles from './password-form.module.css'
import { checkNewPassword, type NewPasswordForm } from './password-rules.ts'
import { PasswordTips } from './password-tips.tsx'

const resolver = resolverOf(checkNewPassword)

/** New and retyped password; a refusal keeps the link and what was typed. */
export function ResetPasswordForm({ token }: { token: string }) {
  const { register, watch, handleSubmit, formState } = useForm<NewPasswordForm>({ resolver })
  const [state, setState] = useState<CallState | null>(null)
  const navigate = useNavigate()
  useEffect(warmToasts, [])

  const send = handleSubmit(async ({ newPassword }) => {
    try {
      const { message } = await call(
        resetPassword,
        { token, NewUserPass: newPassword },
        { shellShows: 'ended-session' },
      )
      void showToast('done', message)
      // A reset ends every session of the account; /login forgets one of this browser that is dead.
      await navigate('/login')
    } catch (error) {
      setState(errorState(dialogText(error)))
    }
  })

  return (
    <SheetPart title="A new password" line="The link of your mail is good once. Every device is logged out.">
      <div className={styles.beside}>
        <form method="dialog" noValidate onSubmit={send} className={styles.form}>
          <NewPasswordPair
            newPassword={register('newPassword')}
            retyped={register('retyped')}
            typed={watch('newPassword') ?? ''}
            errors={formState.errors}
          />
          <div className={grid.actions}>
            <Button type="submit" tone="paper" size="lg" busy={formState.isSubmitting}>
              Set Password
            </Button>
            <ButtonLink to="/findaccount" tone="quiet">
              Ask for a new link
            </ButtonLink>
          </div>
        </form>
        <PasswordTips />
      </div>
      <CallDialog state={state} onClose={() => setState(null)} />
    </SheetPart>
  )
}
