import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { CallOutput } from '#contract/endpoint.ts'
import type { submitTicket } from '#contract/tickets.ts'
import { alertText, CallError, isExpired } from '#web/api/call.ts'
import type { Session } from '#web/api/session.ts'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import { accountQuery } from '#web/features/account/queries.ts'
import { clearDraft, readDraft, saveDraft } from './draft.ts'
import { fieldOfRefusal } from './ticket-refusal.ts'
import { checkTicketForm, TICKET_FIELDS, type TicketForm } from './ticket-rules.ts'
import { usePictures } from './use-pictures.ts'
import { useUpload } from './use-upload.ts'

const DRAFT = 'TICKET'

type Answer = CallOutput<typeof submitTicket>

/** What was taken, for the page to tell of it. */
export type Submitted = Pick<Answer, 'message' | 'number' | 'key'> & { subject: string; email: string }

/** The ticket form: its rules, its draft, its screenshots, its sending. */
export function useTicketForm(session: Session | null, onTaken: (taken: Submitted) => void) {
  const userNum = session?.user.UserNum ?? 0
  const isMember = userNum > 0
  const account = useQuery({ ...accountQuery(userNum), enabled: isMember })
  const form = useForm<TicketForm>({ resolver: resolverOf((values) => checkTicketForm(values, isMember)) })
  const pictures = usePictures()
  const { progress, send } = useUpload<Answer>('/api/submitticket')
  const [refusal, setRefusal] = useState<string | null>(null)
  const { setValue, getValues, setError, setFocus } = form

  useEffect(() => {
    const draft = readDraft(sessionStorage, DRAFT, userNum)
    for (const name of TICKET_FIELDS) {
      const kept = draft[name]
      if (kept !== undefined && !getValues(name)) setValue(name, kept)
    }
  }, [userNum, setValue, getValues])

  const showRefusal = (error: unknown) => {
    if (isExpired(error)) return
    const text = alertText(error)
    const field = error instanceof CallError ? fieldOfRefusal(text) : undefined
    if (field === undefined) setRefusal(text)
    else if (field === 'screenshots') pictures.refuse(text)
    else {
      setError(field, { type: 'server', message: text })
      setFocus(field)
    }
  }

  const submit = form.handleSubmit(async ({ category, subject, message, email, ChaNum }) => {
    setRefusal(null)
    const own: Record<string, string> = isMember ? { ChaNum: ChaNum ?? '' } : { email: email.trim() }
    try {
      const answer = await send({ category, subject, message, ...own }, pictures.pictures)
      if (answer === undefined) return
      clearDraft(sessionStorage, DRAFT)
      const mailedTo = isMember ? (account.data?.UserEmail ?? '') : email.trim()
      onTaken({ ...answer, subject: subject.trim(), email: mailedTo })
    } catch (error) {
      showRefusal(error)
    }
  })

  const keep = () => {
    const typed = TICKET_FIELDS.map((name) => [name, getValues(name) ?? ''] as const)
    saveDraft(sessionStorage, DRAFT, userNum, Object.fromEntries(typed))
  }
  return { form, pictures, account: account.data, progress, refusal, submit, keep }
}
