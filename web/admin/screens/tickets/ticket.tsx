import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import {
  answerFields,
  answerTicket,
  assignTickets,
  closeDeskTickets,
  fillInVariables,
  getAssignees,
  getDeskScreenshot,
  getDeskTicket,
  getReadyAnswers,
  mergeFields,
  mergeTickets,
  prioritiseTicket,
  reopenTicket,
  writeTicketNote,
} from '#contract/desk-tickets.ts'
import type { CallOutput, FormValues } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import { TICKET_CATEGORY_LABELS, TICKET_STATE_LABELS } from '#contract/tickets.ts'
import { PRIVATE_DATA_KEY, useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall, useAction } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { createAssigneeField, DeskField } from '../../kit/fields.tsx'
import { Notes } from '../../kit/notes.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMe } from '../../me.ts'
import styles from './tickets.module.css'
import { PRIORITIES, PriorityBadge } from './tickets.tsx'

type Ticket = CallOutput<typeof getDeskTicket>['ticket']

/** Shows a ticket with its conversation and all actions of support. */
export function Screen() {
  const { number = '' } = useParams()
  // The interval is short because a player's reply must appear while an operator writes an answer.
  const page = useCall(getDeskTicket, { number }, { refetchInterval: 10_000 })
  return (
    <Loaded result={page} height={640}>
      {({ ticket }) => <TicketPage key={ticket.number} ticket={ticket} />}
    </Loaded>
  )
}

function TicketPage({ ticket }: { ticket: Ticket }) {
  const renameCurrencies = useCurrencyText()
  const me = useMe()
  const { number, version, state } = ticket
  const ticketVersion = { number, version }
  const assignees = useCall(getAssignees, {}).data?.rows ?? []
  const assign = useAction(assignTickets)
  const prioritise = useAction(prioritiseTicket, { successMessage: 'The priority is set.' })
  const assignTo = (to: number | null) => void assign.run({ tickets: [{ number, from: ticket.assignee_num }], to })
  const isMine = ticket.assignee_num === me.user_num
  return (
    <RecordPage
      back={{ to: '/admin/tickets', label: 'Tickets' }}
      title={ticket.subject}
      badges={
        <span className={deskLayout.badges}>
          <StateBadge tone={state === 'open' ? 'attention' : 'calm'}>{TICKET_STATE_LABELS[state]}</StateBadge>
          <PriorityBadge priority={ticket.priority} />
        </span>
      }
      actions={
        <>
          {!isMine && (
            <Button busy={assign.busy} onClick={() => assignTo(me.user_num)}>
              {ticket.assignee_num === null ? 'Take it' : 'Take it over'}
            </Button>
          )}
          {state === 'closed' ? (
            <DeskAction
              endpoint={reopenTicket}
              input={ticketVersion}
              label="Reopen it"
              tone="secondary"
              successMessage="The ticket is open again."
            />
          ) : (
            <DeskAction
              endpoint={closeDeskTickets}
              input={{ tickets: [ticketVersion] }}
              label="Close it"
              tone="secondary"
              confirmation={{
                title: 'Close this ticket?',
                text: `${ticket.requester} gets an email saying that it is closed. A reply reopens it.`,
              }}
              successMessage="The ticket is closed."
            />
          )}
        </>
      }
      facts={{
        From: (
          <>
            {ticket.user_num === null ? 'A guest' : <PlayerLink userNum={ticket.user_num} userId={ticket.requester} />}{' '}
            {ticket.name}
          </>
        ),
        Email: ticket.email,
        About: `${renameCurrencies(TICKET_CATEGORY_LABELS[ticket.category])}${ticket.character === null ? '' : `: ${ticket.character}`}`,
        Number: number,
        Written: <When at={ticket.created_at} show="both" />,
        'First answer': <When at={ticket.first_answered_at} show="both" />,
        Assignee: ticket.assignee ?? 'No one',
        'Merged into this one': ticket.merged.length > 0 && ticket.merged.join(', '),
      }}
    >
      <div className={deskLayout.columns}>
        <div className={layout.panels}>
          <Conversation ticket={ticket} />
          <AnswerForm ticket={ticket} />
        </div>
        <div className={layout.panels}>
          <Panel title="Work">
            <div className={deskLayout.body}>
              <DeskField
                field={{ ...createAssigneeField(assignees), disabled: assign.busy }}
                value={ticket.assignee_num}
                onChange={assignTo}
              />
              <DeskField
                field={{
                  kind: 'choice',
                  label: 'Priority',
                  options: PRIORITIES,
                  isNumber: true,
                  disabled: prioritise.busy,
                }}
                value={ticket.priority}
                onChange={(priority: number) => void prioritise.run({ number, priority })}
              />
            </div>
          </Panel>
          <Notes endpoint={writeTicketNote} subject={{ number: ticket.number }} notes={ticket.notes} />
          <OtherTickets ticket={ticket} />
        </div>
      </div>
    </RecordPage>
  )
}

function OtherTickets({ ticket }: { ticket: Ticket }) {
  const [isMerging, setMerging] = useState(false)
  const { number, version, others } = ticket
  return (
    <Panel title="Other tickets of this person">
      <div className={deskLayout.body}>
        {others.length === 0 && <p className={deskLayout.faint}>There are no others.</p>}
        <ul className={deskLayout.list}>
          {others.map((other) => (
            <li key={other.number}>
              <Link to={`/admin/tickets/${other.number}`} className={deskLayout.link}>
                {other.subject}
              </Link>
              <p className={deskLayout.faint}>
                {other.number} · {TICKET_STATE_LABELS[other.state]} · <When at={other.updated_at} />
              </p>
            </li>
          ))}
        </ul>
        {others.length > 0 && !isMerging && (
          <Button tone="secondary" onClick={() => setMerging(true)}>
            Merge into another
          </Button>
        )}
        {isMerging && (
          <DeskForm
            endpoint={mergeTickets}
            fields={mergeFields}
            values={{ number, version, into: others[0]?.number ?? '' }}
            submitLabel="Merge"
            successMessage="Everything is in one ticket now."
            onDone={() => setMerging(false)}
            onCancel={() => setMerging(false)}
            show={[
              'into',
              <p key="effect" className={deskLayout.hint}>
                The number of this ticket then leads to the other ticket, and the player gets an email. This can’t be
                undone.
              </p>,
            ]}
          />
        )}
      </div>
    </Panel>
  )
}

/**
 * Answers the ticket as displayed. If a new message has arrived, the server refuses the answer and the form keeps its
 * text.
 */
function AnswerForm({ ticket }: { ticket: Ticket }) {
  const me = useMe()
  const [sentCount, setSentCount] = useState(0)
  const readyAnswersQuery = useCall(getReadyAnswers, {})
  const answers = readyAnswersQuery.data?.rows ?? []
  const name = me.staff_name
  /** Returns the message with a ready-made answer appended. */
  const appendReadyAnswer = (id: string, { message = '', author }: Partial<FormValues<typeof answerTicket>>) => {
    const chosenAnswer = answers.find(({ answer }) => String(answer) === id)
    if (chosenAnswer === undefined) return message
    const text = fillInVariables(chosenAnswer.body, {
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
      key={sentCount}
      endpoint={answerTicket}
      fields={answerFields}
      values={{ number: ticket.number, author: name }}
      input={(values) => ({ ...values, version: ticket.version })}
      submitLabel="Send the answer"
      successMessage="The answer is on its way."
      onDone={() => setSentCount(sentCount + 1)}
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
            onChange={(id: string) => change({ message: appendReadyAnswer(id, values) })}
          />,
          'author',
        ],
        'message',
        'close',
        <p key="effect" className={deskLayout.hint}>
          The answer is mailed to {ticket.email} and added to the ticket.
        </p>,
      ]}
    />
  )
}

type Screenshot = Ticket['conversation'][number]['screenshots'][number]

/** Lists the messages, oldest first. */
function Conversation({ ticket }: { ticket: Ticket }) {
  return (
    <Panel title={formatPlural(ticket.messages, 'message')}>
      <ol className={styles.conversation}>
        {ticket.conversation.map(({ id, from, author, message, created_at, screenshots }) => (
          <li key={id} data-from={from}>
            <p className={styles.byline}>
              <b>{author ?? ticket.requester}</b>{' '}
              <span className={deskLayout.faint}>
                <When at={created_at} show="both" />
              </span>
            </p>
            <p className={deskLayout.withBreaks}>{message}</p>
            <div className={deskLayout.badges}>
              {screenshots.map((screenshot, index) => (
                <ScreenshotPicture
                  key={screenshot.id}
                  number={ticket.number}
                  screenshot={screenshot}
                  name={`Picture ${index + 1} of message ${id}`}
                />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Shows a picture of a message. It is fetched with the session's token, so other people cannot use its address. */
function ScreenshotPicture({ number, screenshot, name }: { number: string; screenshot: Screenshot; name: string }) {
  const { data } = useQuery({
    queryKey: [PRIVATE_DATA_KEY, getDeskScreenshot.path, screenshot.id],
    queryFn: () => deskCall(getDeskScreenshot, { number, screenshot: screenshot.id }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (data === undefined) return
    const objectUrl = URL.createObjectURL(data)
    setAddress(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [data])
  const picture = <img src={address ?? undefined} alt={name} width={screenshot.width} height={screenshot.height} />
  return address === null ? (
    <span className={styles.picture} />
  ) : (
    <a href={address} target="_blank" rel="noopener" className={styles.picture}>
      {picture}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}
