import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { CallOutput } from '#contract/endpoint.ts'
import type { replyTicket, Ticket } from '#contract/tickets.ts'
import { alertText, isExpired } from '#web/api/call.ts'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import { showToast, warmToasts } from '#web/ui/toast.ts'
import { clearDraft, readDraft, saveDraft } from './draft.ts'
import type { Access } from './queries.ts'
import { fieldOfRefusal } from './ticket-refusal.ts'
import { checkMessage } from './ticket-rules.ts'
import { usePictures } from './use-pictures.ts'
import { useUpload } from './use-upload.ts'

type Reply = { message: string }
type Answer = CallOutput<typeof replyTicket>
type Situation = { ticket: Ticket; access: Access; userNum: number; onChanged: (ticket: Ticket) => void }

const resolver = resolverOf<Reply>(({ message }) => {
  const wrong = checkMessage(message)
  return wrong === undefined ? {} : { message: wrong }
})

/** The reply of a ticket: its rules, its draft, its screenshots, its sending. */
export function useReplyForm({ ticket, access, userNum, onChanged }: Situation) {
  const form = useForm<Reply>({ resolver })
  const pictures = usePictures()
  const { progress, send } = useUpload<Answer>('/api/replyticket')
  const [refusal, setRefusal] = useState<string | null>(null)
  const { setValue, getValues, setError, setFocus, reset } = form
  const draft = `REPLY_${ticket.number}`

  useEffect(warmToasts, [])
  useEffect(() => {
    const kept = readDraft(sessionStorage, draft, userNum).message
    if (kept !== undefined && !getValues('message')) setValue('message', kept)
  }, [draft, userNum, setValue, getValues])

  const showRefusal = (text: string) => {
    const field = fieldOfRefusal(text)
    if (field === 'screenshots') pictures.refuse(text)
    else if (field === 'message') {
      setError('message', { type: 'server', message: text })
      setFocus('message')
    } else setRefusal(text)
  }

  const submit = form.handleSubmit(async ({ message }) => {
    setRefusal(null)
    try {
      const answer = await send({ ...access, message }, pictures.pictures)
      if (answer === undefined) return
      clearDraft(sessionStorage, draft)
      reset({ message: '' })
      pictures.clear()
      onChanged(answer.ticket)
      void showToast('done', answer.message)
    } catch (error) {
      if (!isExpired(error)) showRefusal(alertText(error))
    }
  })

  const keep = () => saveDraft(sessionStorage, draft, userNum, { message: getValues('message') ?? '' })
  return { form, pictures, progress, refusal, submit, keep }
}
