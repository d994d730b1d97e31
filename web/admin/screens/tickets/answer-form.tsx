import { useState } from 'react'
import { answerFields, answerTicket, fillIn, type getDeskTicket, getReadyAnswers } from '#contract/desk-tickets.ts'
import type { CallOutput, FormValues } from '#contract/endpoint.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { DeskField } from '../../kit/fields.tsx'
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
  /** The message with a ready-made answer at its end. */
  const insert = (id: string, { message = '', author }: Partial<FormValues<typeof answerTicket>>) => {
    const chosen = answers.find(({ answer }) => String(answer) === id)
    if (chosen === undefined) return message
    const text = fillIn(chosen.body, {
      player: ticket.user_num === null ? 'there' : ticket.requester,
      ticket: ticket.number,
      subject: ticket.subject,
      character: ticket.character ?? 'your character',
      me: String(author ?? name),
    })
    return message === '' ? text : `${message}\n\n${text}`
  }
  return (
    <DeskForm
      key={sent}
      endpoint={answerTicket}
      fields={answerFields}
      values={{ number: ticket.number, author: name }}
      input={(values) => ({ ...values, version: ticket.version })}
      submit="Send the answer"
      done="The answer is on its way."
      onDone={() => setSent(sent + 1)}
      show={({ values, change }) => [
        [
          <DeskField
            key="ready"
            field={{
              kind: 'choice',
              label: 'Ready-made answer',
              none: 'Choose one to start from',
              options: answers.map(({ answer, title }) => [answer, title]),
            }}
            value=""
            onChange={(id: string) => change({ message: insert(id, values) })}
          />,
          'author',
        ],
        'message',
        'close',
        <p key="effect" className={looks.hint}>
          The answer is mailed to {ticket.email} and stands in the ticket.
        </p>,
      ]}
    />
  )
}
