import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { PASSWORD, requiredText, SECRET_QUESTIONS } from '#contract/account-messages.ts'
import { DIALOG } from '#contract/messages.ts'
import type { SessionUser } from '#web/api/session.ts'
import { checkRequired, onlyWrong } from '#web/features/account/field-rules.ts'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import { accountQuery } from '#web/features/account/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { TextField } from '#web/ui/field.tsx'
import styles from './secret-answer-dialog.module.css'

type AnswerForm = { answer: string }

type Props = {
  open: boolean
  user: SessionUser
  /** Asks the server. @returns what is wrong, or null when the answer is right */
  confirm: (answer: string) => Promise<string | null>
  onCancel: () => void
}

const resolver = resolverOf<AnswerForm>(({ answer }) =>
  onlyWrong({ answer: checkRequired(answer, requiredText(PASSWORD.confirmPlaceholder)) }),
)

/** Asks for the secret answer before the password is changed (SPEC §5 Change password). */
export function SecretAnswerDialog({ open, user, confirm, onCancel }: Props) {
  const formId = useId()
  const account = useQuery({ ...accountQuery(user.UserNum), enabled: open })
  const question = SECRET_QUESTIONS[(account.data?.UserSQ ?? 0) - 1]
  const { register, handleSubmit, setError, reset, formState } = useForm<AnswerForm>({ resolver })
  const submit = handleSubmit(async ({ answer }) => {
    const wrong = await confirm(answer)
    if (wrong !== null) setError('answer', { type: 'server', message: wrong }, { shouldFocus: true })
  })
  return (
    <DialogWindow
      open={open}
      title={PASSWORD.confirmTitle}
      onClose={onCancel}
      onClosed={() => reset({ answer: '' })}
      actions={
        <>
          <Button tone="secondary" onClick={onCancel}>
            {DIALOG.cancel}
          </Button>
          <Button type="submit" form={formId} busy={formState.isSubmitting}>
            {PASSWORD.submit}
          </Button>
        </>
      }
    >
      <form id={formId} method="dialog" noValidate onSubmit={submit} className={styles.form}>
        {question !== undefined && (
          <p>
            Your secret question: <strong>{question}</strong>
          </p>
        )}
        <TextField
          label={PASSWORD.confirmLabel}
          placeholder={PASSWORD.confirmPlaceholder}
          autoComplete="off"
          error={formState.errors.answer?.message}
          {...register('answer')}
        />
      </form>
    </DialogWindow>
  )
}
