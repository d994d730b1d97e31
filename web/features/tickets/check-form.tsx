import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { sendTicketLink } from '#contract/tickets.ts'
import { getLoginPath } from '#web/api/guard.ts'
import { toOptions } from '#web/api/queries.ts'
import { FormActions, FormGrid } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import styles from './check-ticket-page.module.css'
import { getTicketPath } from './check-ticket-view.ts'
import { getTicketQuery } from './queries.ts'
import { FormFailure, NoScriptNote } from './ticket-parts.tsx'

type CheckFormProps = { /** The ticket number in the address. */ number?: string | undefined; isPlayer?: boolean }

/**
 * The form in which a guest enters a ticket's number and email address. It shows the ticket, or mails its link again. Both
 * actions check the fields by the rules of `sendTicketLink`.
 */
export function CheckForm({ number, isPlayer = false }: CheckFormProps) {
  const [busyAction, setBusyAction] = useState<'check' | 'mail' | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useCallForm(sendTicketLink, { ...(number !== undefined && { defaultValues: { number } }) })

  const createSubmit = (action: 'check' | 'mail', send: Parameters<typeof form.createSubmitHandler>[0]) =>
    form.createSubmitHandler(async (values) => {
      setBusyAction(action)
      setMessage(null)
      try {
        await send(values)
      } finally {
        setBusyAction(null)
      }
    })
  const submitCheck = createSubmit('check', async (access) => {
    await queries.fetchQuery({ ...toOptions(getTicketQuery(access)), retry: false })
    await navigate(getTicketPath(access.number), { state: { email: access.email } })
  })
  const mailLink = createSubmit('mail', async (values) => setMessage((await form.send(values)).message))
  return (
    <form {...form.form} onSubmit={submitCheck}>
      <FormGrid>
        <TextField
          label="Ticket number"
          hint="T-7KQX-M2PD"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.field('number')}
        />
        <TextField label="Email" type="email" autoComplete="email" {...form.field('email')} />
      </FormGrid>
      <FormFailure text={form.failure} className={styles.message} />
      <div role="status">
        {message !== null && <p className={`${styles.message} ${styles.successNote}`}>{message}</p>}
      </div>
      <NoScriptNote />
      <FormActions>
        <Button type="submit" tone="paper" size="lg" busy={busyAction === 'check'}>
          Check
        </Button>
        <Button tone="secondary" size="lg" busy={busyAction === 'mail'} onClick={() => mailLink()}>
          Email me the link
        </Button>
      </FormActions>
      <p className={`${text.note} ${styles.note}`}>
        With the ticket number and the email address you can read the conversation. To reply, open the link in our email
        {isPlayer ? '.' : ' or, if you were logged in when you wrote, '}
        {!isPlayer && <Link to={getLoginPath('/checkticket')}>log in</Link>}
        {!isPlayer && '.'}
      </p>
    </form>
  )
}
