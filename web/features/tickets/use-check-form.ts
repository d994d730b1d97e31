import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { sendTicketLink } from '#contract/tickets.ts'
import { alertText, call, isExpired } from '#web/api/call.ts'
import { useSession } from '#web/api/session.ts'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import { ticketQuery } from './queries.ts'
import { ticketPath } from './ticket-address.ts'
import { type CheckForm, checkCheckForm, readTicketNumber } from './ticket-rules.ts'

/** Asks for a ticket by number and e-mail, or has its link mailed again. */
export function useCheckForm(known: string | undefined) {
  const form = useForm<CheckForm>({
    resolver: resolverOf(checkCheckForm),
    ...(known === undefined ? {} : { defaultValues: { number: known } }),
  })
  const [refusal, setRefusal] = useState<string | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [busy, setBusy] = useState<'check' | 'mail' | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const userNum = useSession()?.user.UserNum ?? 0

  const tell = (what: 'check' | 'mail', act: (asked: CheckForm) => Promise<void>) =>
    form.handleSubmit(async ({ number, email }) => {
      if (busy !== null) return
      setBusy(what)
      setRefusal(null)
      setSaid(null)
      try {
        await act({ number: readTicketNumber(number) ?? number, email: email.trim() })
      } catch (error) {
        if (!isExpired(error)) setRefusal(alertText(error))
      }
      setBusy(null)
    })

  const check = tell('check', async (access) => {
    await queries.fetchQuery(ticketQuery(access, userNum))
    await navigate(ticketPath(access.number), { state: { email: access.email } })
  })
  const mailLink = tell('mail', async (asked) => {
    const { message } = await call(sendTicketLink, asked, { shellShows: 'ended-session' })
    setSaid(message)
  })
  return { form, check, mailLink, refusal, said, busy }
}
