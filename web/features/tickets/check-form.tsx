import { loginPathFor } from '#web/api/guard.ts'
import { FieldErrorText } from '#web/features/account/field-error.tsx'
import grid from '#web/features/account/form-grid.module.css'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import styles from './check-form.module.css'
import { NoScriptNote } from './no-script-note.tsx'
import { useCheckForm } from './use-check-form.ts'

type Props = { /** Known from the address. */ number?: string | undefined; isMember?: boolean }

/** A guest's way to a ticket: its number and the e-mail it was written with. */
export function CheckForm({ number, isMember = false }: Props) {
  const { form, check, mailLink, refusal, said, busy } = useCheckForm(number)
  const { register, formState } = form
  return (
    <form method="dialog" noValidate onSubmit={check}>
      <div className={grid.grid}>
        <TextField
          label="Ticket number"
          hint="T-7KQX-M2PD"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={formState.errors.number?.message}
          {...register('number')}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={formState.errors.email?.message}
          {...register('email')}
        />
      </div>
      <div role="alert">
        {refusal !== null && (
          <div className={styles.said}>
            <FieldErrorText id="check-refusal">{refusal}</FieldErrorText>
          </div>
        )}
      </div>
      <div role="status">{said !== null && <p className={`${styles.said} ${styles.good}`}>{said}</p>}</div>
      <NoScriptNote />
      <div className={grid.actions}>
        <Button type="submit" tone="paper" size="lg" busy={busy === 'check'}>
          Check
        </Button>
        <Button tone="secondary" size="lg" busy={busy === 'mail'} onClick={() => void mailLink()}>
          Mail me the link
        </Button>
      </div>
      <p className={styles.note}>
        Both together show the conversation. To reply, open the link of our mail
        {isMember ? '.' : ' or, if you wrote as a member, '}
        {!isMember && <Link to={loginPathFor('/checkticket')}>log in</Link>}
        {!isMember && '.'}
      </p>
    </form>
  )
}
