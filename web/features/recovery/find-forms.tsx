import { useForm } from 'react-hook-form'
import { findPassword, findUserId } from '#contract/accounts.ts'
import { call } from '#web/api/call.ts'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import grid from '#web/forms/sheet.module.css'
import { SheetPart } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import styles from './find-forms.module.css'
import { checkFindId, checkFindPassword, type FindIdForm, type FindPasswordForm } from './recovery-rules.ts'

type FindProps = { run: (call: () => Promise<{ message: string }>) => Promise<void> }

/** The find-ID form (SPEC §2.14): the fields are cleared as it is sent. */
export function FindIdPart({ run }: FindProps) {
  const { register, handleSubmit, reset, formState } = useForm<FindIdForm>({ resolver: resolverOf(checkFindId) })
  const send = handleSubmit((values) => {
    reset({ findIDEmail: '' })
    return run(() => call(findUserId, values, { shellShows: 'ended-session' }))
  })
  return (
    <SheetPart title="Find ID" line="We mail your user ID to the address of your account.">
      <form method="dialog" noValidate onSubmit={send} className={styles.form}>
        <TextField
          label="Email Address"
          type="email"
          autoComplete="email"
          error={formState.errors.findIDEmail?.message}
          {...register('findIDEmail')}
        />
        <div className={grid.actions}>
          <Button type="submit" tone="paper">
            Find ID
          </Button>
        </div>
      </form>
    </SheetPart>
  )
}

/** The find-password form (SPEC §2.14). */
export function FindPasswordPart({ run }: FindProps) {
  const { register, handleSubmit, reset, formState } = useForm<FindPasswordForm>({
    resolver: resolverOf(checkFindPassword),
  })
  const send = handleSubmit((values) => {
    reset({ findPWID: '', findPWEmail: '' })
    return run(() => call(findPassword, values, { shellShows: 'ended-session' }))
  })
  return (
    <SheetPart title="Find Password" line="We mail you a link. It is good once, for 30 minutes.">
      <form method="dialog" noValidate onSubmit={send} className={styles.form}>
        <TextField
          label="User ID"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={formState.errors.findPWID?.message}
          {...register('findPWID')}
        />
        <TextField
          label="Email Address"
          type="email"
          autoComplete="email"
          error={formState.errors.findPWEmail?.message}
          {...register('findPWEmail')}
        />
        <div className={grid.actions}>
          <Button type="submit" tone="paper">
            Find Password
          </Button>
        </div>
      </form>
    </SheetPart>
  )
}
