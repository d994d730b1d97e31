import { useState } from 'react'
import { answerTicket, fillIn, type getDeskTicket, getReadyAnswers } from '#contract/desk-tickets.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { SUPPORT_NAME_MAX, TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox, SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { TextField } from '#web/ui/field.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import looks from '../../kit/looks.module.css'
import { useMe } from '../../me.ts'

type Ticket = CallOutput<typeof getDeskTicket>['ticket']

/** Answers the ticket as shown: if a new message arrived meanwhile, the answer is refused and the typed text kept. */
export function AnswerForm({ ticket }: { ticket: Ticket }) {
  const me = useMe()
  const [sent, setSent] = useState(0)
  const ready = useCall(getReadyAnswers, {})
  const answers = ready.data?.rows ?? []
  const name = me.staff_name
  return (
    <DeskForm
      key={sent}
      endpoint={answerTicket}
      values={{ number: ticket.number, message: '', author: name, close: false }}
      input={(values) => ({ ...values, version: ticket.version })}
      submit="Send the answer"
      done="The answer is on its way."
      onDone={() => setSent(sent + 1)}
    >
      {({ field, watch, setValue, getValues, touch }) => {
        const insert = (id: string) => {
          const chosen = answers.find(({ answer }) => String(answer) === id)
          if (chosen === undefined) return
          const text = fillIn(chosen.body, {
            player: ticket.user_num === null ? 'there' : ticket.requester,
            ticket: ticket.number,
            subject: ticket.subject,
            character: ticket.character ?? 'your character',
            me: String(getValues().author ?? name),
          })
          const typed = getValues().message ?? ''
          setValue('message', typed === '' ? text : `${typed}\n\n${text}`)
          touch()
        }
        return (
          <>
            <FormGrid>
              <SelectField label="Ready-made answer" value="" onChange={(event) => insert(event.currentTarget.value)}>
                <option value="">Choose one to start from</option>
                {answers.map(({ answer, title }) => (
                  <option key={answer} value={answer}>
                    {title}
                  </option>
                ))}
              </SelectField>
              <TextField label="Your name" hint="as players see it" maxLength={SUPPORT_NAME_MAX} {...field('author')} />
            </FormGrid>
            <TextArea
              label="Answer"
              typed={(watch('message') ?? '').length}
              limit={TICKET_MESSAGE_MAX}
              {...field('message')}
            />
            <Checkbox label="Close the ticket with this answer" {...field('close')} />
            <p className={looks.hint}>The answer is mailed to {ticket.email} and stands in the ticket.</p>
          </>
        )
      }}
    </DeskForm>
  )
}
