import { useState } from 'react'
import { useParams } from 'react-router'
import {
  assignTickets,
  closeDeskTickets,
  getAssignees,
  getDeskTicket,
  mergeFields,
  mergeTickets,
  prioritiseTicket,
  reopenTicket,
  writeTicketNote,
} from '#contract/desk-tickets.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { TICKET_CATEGORY_LABELS, TICKET_STATE_LABELS } from '#contract/tickets.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { assigneeField, DeskField } from '../../kit/fields.tsx'
import looks from '../../kit/looks.module.css'
import { Notes } from '../../kit/notes.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMe } from '../../me.ts'
import { AnswerForm } from './answer-form.tsx'
import { Conversation } from './conversation.tsx'
import { PRIORITIES, PriorityBadge } from './tickets.tsx'

export type Ticket = CallOutput<typeof getDeskTicket>['ticket']

/** A ticket with its conversation, and everything that support does with it. */
export function Screen() {
  const { number = '' } = useParams()
  // A reply that comes while somebody writes an answer is shown within seconds.
  const page = useCall(getDeskTicket, { number }, { refetchInterval: 10_000 })
  return (
    <Loaded of={page} height={640}>
      {({ ticket }) => <TicketPage key={ticket.number} ticket={ticket} />}
    </Loaded>
  )
}

function TicketPage({ ticket }: { ticket: Ticket }) {
  const me = useMe()
  const { number, version, state } = ticket
  const seen = { number, version }
  const assignees = useCall(getAssignees, {}).data?.rows ?? []
  const assign = useAction(assignTickets)
  const prioritise = useAction(prioritiseTicket, { done: 'The priority is set.' })
  const give = (to: number | null) => void assign.run({ tickets: [{ number, from: ticket.assignee_num }], to })
  const isMine = ticket.assignee_num === me.user_num
  return (
    <RecordPage
      back={{ to: '/admin/tickets', label: 'Tickets' }}
      title={ticket.subject}
      badges={
        <span className={looks.badges}>
          <StateBadge tone={state === 'open' ? 'next' : 'calm'}>{TICKET_STATE_LABELS[state]}</StateBadge>
          <PriorityBadge priority={ticket.priority} />
        </span>
      }
      actions={
        <>
          {!isMine && (
            <Button busy={assign.busy} onClick={() => give(me.user_num)}>
              {ticket.assignee_num === null ? 'Claim it' : 'Take it over'}
            </Button>
          )}
          {state === 'closed' ? (
            <DeskAction
              endpoint={reopenTicket}
              input={seen}
              label="Reopen it"
              tone="secondary"
              done="The ticket is open again."
            />
          ) : (
            <DeskAction
              endpoint={closeDeskTickets}
              input={{ tickets: [seen] }}
              label="Close it"
              tone="secondary"
              ask={{
                title: 'Close this ticket?',
                text: `${ticket.requester} gets an email saying that it is closed. A reply reopens it.`,
              }}
              done="The ticket is closed."
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
        'E-mail': ticket.email,
        About: `${TICKET_CATEGORY_LABELS[ticket.category]}${ticket.character === null ? '' : `: ${ticket.character}`}`,
        Number: number,
        Written: <When at={ticket.created_at} show="both" />,
        'First answer': <When at={ticket.first_answered_at} show="both" />,
        Assignee: ticket.assignee ?? 'Nobody',
        'Merged into this one': ticket.merged.length > 0 && ticket.merged.join(', '),
      }}
    >
      <div className={looks.columns}>
        <div className={layout.panels}>
          <Conversation ticket={ticket} />
          <AnswerForm ticket={ticket} />
        </div>
        <div className={layout.panels}>
          <Panel title="Work">
            <div className={looks.body}>
              <DeskField
                field={{ ...assigneeField(assignees), disabled: assign.busy }}
                value={ticket.assignee_num}
                onChange={give}
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
          <Notes endpoint={writeTicketNote} about={{ number: ticket.number }} notes={ticket.notes} />
          <Others ticket={ticket} />
        </div>
      </div>
    </RecordPage>
  )
}

function Others({ ticket }: { ticket: Ticket }) {
  const [isMerging, setMerging] = useState(false)
  const { number, version, others } = ticket
  return (
    <Panel title="Their other tickets">
      <div className={looks.body}>
        {others.length === 0 && <p className={looks.faint}>There are no others.</p>}
        <ul className={looks.list}>
          {others.map((other) => (
            <li key={other.number}>
              <Link to={`/admin/tickets/${other.number}`} className={looks.link}>
                {other.subject}
              </Link>
              <p className={looks.faint}>
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
            submit="Merge"
            done="Everything is in one ticket now."
            onDone={() => setMerging(false)}
            onCancel={() => setMerging(false)}
            show={[
              'into',
              <p key="effect" className={looks.hint}>
                This number then leads to the other ticket, and the player gets an email. This can’t be undone.
              </p>,
            ]}
          />
        )}
      </div>
    </Panel>
  )
}
