import { answerTicket, getDeskTicket, getReadyAnswers } from '#contract/desk-tickets.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { SUPPORT_NAME_MAX, TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import { fillIn } from '#contract/ready-answers.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox, SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { TextField } from '#web/ui/field.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { useMe } from '../../me.ts'
import styles from './tickets.module.css'

/** The name that players see, as this person last wrote it. */
const NAME_KEY = 'TAMBAYAN_SUPPORT_NAME'

type Ticket = CallOutput<typeof getDeskTicket>['ticket']

/** Answers a ticket. When something was written meanwhile, what was typed stays and the new message is shown. */
export function AnswerForm({ ticket }: { ticket: Ticket }) {
  const me = useMe()
  const ready = useCall(getReadyAnswers, {})
  const answers = ready.data?.rows ?? []
  const name = localStorage.getItem(NAME_KEY) ?? (me.name.split(' ')[0] || me.user_id)
  const readLatest = async () => {
    const { ticket: now } = await deskCall(getDeskTicket, { number: ticket.number })
    return { version: now.version, values: {} }
  }
  return (
    <DeskForm
      key={ticket.conversation.length}
      endpoint={answerTicket}
      values={{ number: ticket.number, message: '', author: name, close: false }}
      version={ticket.version}
      input={(values, version) => ({ ...values, ...(version !== null && { version }) })}
      latest={readLatest}
      labels={{ message: 'Your answer' }}
      submit="Send the answer"
      done="The answer is on its way."
      onDone={(_, { author }) => {
        if (author !== undefined) localStorage.setItem(NAME_KEY, author)
      }}
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
                <option value="">Choose one to begin with</option>
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
            <p className={styles.hint}>The answer is mailed to {ticket.email} and stands in the ticket.</p>
          </>
        )
      }}
    </DeskForm>
  )
}
