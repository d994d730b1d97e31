import { useState } from 'react'
import { useParams } from 'react-router'
import {
  assignTicket,
  closeDeskTicket,
  getDeskTicket,
  mergeTickets,
  prioritiseTicket,
  reopenTicket,
  writeTicketNote,
} from '#contract/desk-tickets.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { TICKET_CATEGORY_LABELS, TICKET_STATE_LABELS } from '#contract/tickets.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Fact, Facts, PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import { Notes } from '../../kit/notes.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMe } from '../../me.ts'
import { AnswerForm } from './answer-form.tsx'
import { Conversation } from './conversation.tsx'
import { PRIORITIES, PriorityBadge } from './parts.tsx'

type Page = CallOutput<typeof getDeskTicket>
export type Ticket = Page['ticket']

/** A ticket with its conversation, and everything that support does with it. */
export function Screen() {
  const { number = '' } = useParams()
  // A reply that comes while somebody writes an answer is shown within seconds.
  const page = useCall(getDeskTicket, { number }, { refetchInterval: 10_000 })
  return (
    <Loaded of={page} height={640}>
      {({ ticket, assignees }) => <TicketPage key={ticket.number} ticket={ticket} assignees={assignees} />}
    </Loaded>
  )
}

function TicketPage({ ticket, assignees }: Page) {
  const me = useMe()
  const { number, version, state } = ticket
  const seen = { number, version }
  const assign = useAction(assignTicket, { done: ({ message }) => message })
  const prioritise = useAction(prioritiseTicket, { done: 'The priority is set.' })
  const reopen = useAction(reopenTicket, { done: 'The ticket is open again.' })
  const [isClosing, setClosing] = useState(false)
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
            <Button
              busy={assign.busy}
              onClick={() => void assign.run({ number, from: ticket.assignee_num, to: me.user_num })}
            >
              {ticket.assignee_num === null ? 'Claim it' : 'Take it over'}
            </Button>
          )}
          {state === 'closed' ? (
            <Button tone="secondary" busy={reopen.busy} onClick={() => void reopen.run(seen)}>
              Reopen it
            </Button>
          ) : (
            <Button tone="secondary" onClick={() => setClosing(true)}>
              Close it
            </Button>
          )}
        </>
      }
      facts={
        <Facts>
          <Fact name="From">
            {ticket.user_num === null ? 'A guest' : <PlayerLink userNum={ticket.user_num} userId={ticket.requester} />}{' '}
            {ticket.name}
          </Fact>
          <Fact name="E-mail">{ticket.email}</Fact>
          <Fact name="About">
            {TICKET_CATEGORY_LABELS[ticket.category]}
            {ticket.character !== null && `: ${ticket.character}`}
          </Fact>
          <Fact name="Number">{number}</Fact>
          <Fact name="Written">
            <When at={ticket.created_at} show="both" />
          </Fact>
          <Fact name="First answer">
            <When at={ticket.first_answered_at} show="both" />
          </Fact>
          <Fact name="Assignee">{ticket.assignee ?? 'Nobody'}</Fact>
          {ticket.merged.length > 0 && <Fact name="Merged into this one">{ticket.merged.join(', ')}</Fact>}
        </Facts>
      }
    >
      <div className={looks.columns}>
        <div className={layout.panels}>
          <Conversation ticket={ticket} />
          <AnswerForm ticket={ticket} />
        </div>
        <div className={layout.panels}>
          <Panel title="Work">
            <div className={looks.body}>
              <SelectField
                label="Assignee"
                value={String(ticket.assignee_num ?? '')}
                disabled={assign.busy}
                onChange={({ currentTarget: { value } }) =>
                  void assign.run({ number, from: ticket.assignee_num, to: value === '' ? null : Number(value) })
                }
              >
                <option value="">Nobody</option>
                {assignees.map(({ user_num, user_id }) => (
                  <option key={user_num} value={user_num}>
                    {user_id}
                  </option>
                ))}
              </SelectField>
              <SelectField
                label="Priority"
                value={String(ticket.priority)}
                disabled={prioritise.busy}
                onChange={({ currentTarget: { value } }) => void prioritise.run({ number, priority: Number(value) })}
              >
                {PRIORITIES.map(([priority, label]) => (
                  <option key={priority} value={priority}>
                    {label}
                  </option>
                ))}
              </SelectField>
            </div>
          </Panel>
          <Notes endpoint={writeTicketNote} about={{ number: ticket.number }} notes={ticket.notes} />
          <Others ticket={ticket} />
        </div>
      </div>
      <ConfirmDialog
        open={isClosing}
        onClose={() => setClosing(false)}
        title="Close this ticket?"
        action="Close it"
        endpoint={closeDeskTicket}
        input={() => seen}
        done="The ticket is closed."
      >
        <p>{ticket.requester} gets an email saying that it is closed. A reply reopens it.</p>
      </ConfirmDialog>
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
            values={{ number, version, into: others[0]?.number ?? '' }}
            submit="Merge"
            done="Everything is in one ticket now."
            onDone={() => setMerging(false)}
            onCancel={() => setMerging(false)}
          >
            {({ field }) => (
              <>
                <TextField
                  label="Into the ticket"
                  hint="all messages move there"
                  autoComplete="off"
                  {...field('into')}
                />
                <p className={looks.hint}>
                  This number then leads to the other ticket, and the player gets an email. This can’t be undone.
                </p>
              </>
            )}
          </DeskForm>
        )}
      </div>
    </Panel>
  )
}
