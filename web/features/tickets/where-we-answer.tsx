import type { UseFormReturn } from 'react-hook-form'
import type { User } from '#contract/accounts.ts'
import { EMAIL_MAX } from '#contract/limits.ts'
import { useSessionState } from '#web/api/session.ts'
import { SelectField } from '#web/features/account/select-field.tsx'
import grid from '#web/forms/sheet.module.css'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import type { TicketForm } from './ticket-rules.ts'
import styles from './where-we-answer.module.css'

type Props = { form: UseFormReturn<TicketForm>; account: User | undefined }

/** The address of the answers: a guest types it, a member's is the account's. Which of them asks the document does not know. */
export function WhereWeAnswer({ form, account }: Props) {
  const state = useSessionState()
  return (
    <>
      {state !== 'in' && (
        <div data-for="guest">
          <GuestEmail form={form} />
        </div>
      )}
      {state !== 'guest' && (
        <div data-for="player">
          <MemberFields form={form} account={account} />
        </div>
      )}
    </>
  )
}

function GuestEmail({ form: { register, formState } }: Pick<Props, 'form'>) {
  return (
    <>
      <div className={grid.grid}>
        <TextField
          label="Email"
          type="email"
          maxLength={EMAIL_MAX}
          autoComplete="email"
          error={formState.errors.email?.message}
          {...register('email')}
        />
      </div>
      <p className={styles.note}>
        You get a link that opens the conversation. Have an account? <Link to="/login?next=%2Fticket">Log in</Link> and
        it waits under Check My Ticket; what you typed stays.
      </p>
    </>
  )
}

function MemberFields({ form: { register, formState }, account }: Props) {
  const characters = account?.characters ?? []
  return (
    <>
      <div className={grid.grid}>
        <TextField
          label="Email"
          hint="of your account"
          type="email"
          value={account?.UserEmail ?? ''}
          readOnly
          error={formState.errors.email?.message}
        />
        {characters.length > 0 && (
          <SelectField
            label="Character"
            hint="optional"
            error={formState.errors.ChaNum?.message}
            {...register('ChaNum')}
          >
            <option value="">It is about none of them</option>
            {characters.map(({ ChaNum, ChaName, ChaLevel }) => (
              <option key={ChaNum} value={ChaNum}>
                {ChaName}, level {ChaLevel}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <p className={styles.note}>
        We mail you when there is an answer. Another address? Change it under <Link to="/user">Account Setting</Link>.
      </p>
    </>
  )
}
