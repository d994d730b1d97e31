import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { sendTicketLink } from '#contract/tickets.ts'
import { loginPathFor } from '#web/api/guard.ts'
import { toOptions } from '#web/api/queries.ts'
import { FormActions, FormGrid } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import styles from './check-ticket-page.module.css'
import { ticketPath } from './check-ticket-view.ts'
import { ticketQuery } from './queries.ts'
import { FormFailure, NoScriptNote } from './ticket-parts.tsx'

type Props = { /** The ticket number in the address. */ number?: string | undefined; isMember?: boolean }

/**
 * The form in which a guest enters a ticket's number and email address. It shows the ticket or mails its link again, with
 * the rules of the corresponding call.
 */
export function CheckForm({ number, isMember = false }: Props) {
  const [doing, setDoing] = useState<'check' | 'mail' | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useCallForm(sendTicketLink, { ...(number !== undefined && { defaultValues: { number } }) })

  const submit = (what: 'check' | 'mail', act: Parameters<typeof form.submitBy>[0]) =>
    form.submitBy(async (values) => {
      setDoing(what)
      setMessage(null)
      try {
        await act(values)
      } finally {
        setDoing(null)
      }
    })
  const check = submit('check', async (access) => {
    await queries.fetchQuery({ ...toOptions(ticketQuery(access)), retry: false })
    await navigate(ticketPath(access.number), { state: { email: access.email } })
  })
  const mailLink = submit('mail', async (values) => setMessage((await form.send(values)).message))
  return (
    <form {...form.form} onSubmit={check}>
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
        <Button type="submit" tone="paper" size="lg" busy={doing === 'check'}>
          Check
        </Button>
        <Button tone="secondary" size="lg" busy={doing === 'mail'} onClick={() => mailLink()}>
          Email me the link
        </Button>
      </FormActions>
      <p className={`${text.note} ${styles.note}`}>
        Together they show the conversation. To reply, open the link in our email
        {isMember ? '.' : ' or, if you wrote as a member, '}
        {!isMember && <Link to={loginPathFor('/checkticket')}>log in</Link>}
        {!isMember && '.'}
      </p>
    </form>
  )
}
