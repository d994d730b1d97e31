import { assignTickets, closeDeskTickets, getAssignees, getTicketQueue } from '#contract/desk-tickets.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { TICKET_CATEGORIES, TICKET_CATEGORY_LABELS, TICKET_STATE_LABELS } from '#contract/tickets.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge } from '../../kit/facts.tsx'
import { createAssigneeField } from '../../kit/fields.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { Queue } from '../../kit/queue.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMe } from '../../me.ts'

type Row = RowOf<typeof getTicketQueue>

const columns: Column<Row>[] = [
  { key: 'subject', title: 'Subject' },
  {
    key: 'state',
    title: 'State',
    card: 'end',
    cell: ({ state, priority }) => (
      <span className={deskLayout.badges}>
        <PriorityBadge priority={priority} />
        {state !== 'open' && <StateBadge tone="off">{TICKET_STATE_LABELS[state]}</StateBadge>}
      </span>
    ),
  },
  {
    key: 'requester',
    title: 'From',
    cell: (row) =>
      row.user_num === null ? row.requester : <PlayerLink userNum={row.user_num} userId={row.requester} />,
  },
  {
    key: 'category',
    title: 'About',
    cell: (row) => <CurrencyText>{TICKET_CATEGORY_LABELS[row.category]}</CurrencyText>,
  },
  { key: 'assignee', title: 'Assignee' },
  { key: 'updated_at', title: 'Last message', kind: 'when', sort: 'waiting' },
  { key: 'first', title: 'First answer after', cell: (row) => <FirstAnswer row={row} />, card: 'none' },
  {
    key: 'number',
    title: 'Number',
    sort: 'ticket',
    cell: ({ number }) => <span className={deskLayout.unbroken}>{number}</span>,
  },
]

/** Shows how long the player waited for the first answer. */
function FirstAnswer({ row }: { row: Row }) {
  if (row.first_answered_at === null) return '—'
  const ms = new Date(row.first_answered_at).getTime() - new Date(row.created_at).getTime()
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / 60_000))} min`
  return ms < 48 * HOUR_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / (24 * HOUR_MS))} days`
}

const VIEWS = [
  { label: 'Waiting', query: 'state=open', emptyText: 'No ticket is waiting' },
  { label: 'Unassigned', query: 'state=open&assignee=none', emptyText: 'Nothing is unassigned' },
  { label: 'Mine', query: 'state=open&assignee=me', emptyText: 'Nothing is assigned to you' },
  { label: 'Answered', query: 'state=answered', emptyText: 'Nothing is answered' },
  { label: 'All', query: 'sort=-ticket', emptyText: 'No tickets' },
] as const

const EMPTY_QUEUE = { title: 'No tickets', line: 'When a player writes to support, it appears here.' }

/** Lists the tickets as a queue. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="Tickets"
        line="Messages of players to support. Urgent tickets come first, then the oldest."
        actions={
          <ButtonLink to="/admin/tickets/answers" tone="secondary">
            Ready-made answers
          </ButtonLink>
        }
      />
      <Queue views={VIEWS} viewFilters={['state', 'assignee']}>
        {(emptyText) => (
          <List
            endpoint={getTicketQueue}
            label="Tickets"
            columns={columns}
            filters={{
              q: { kind: 'search', label: 'Number, user ID or email' },
              state: { kind: 'choice', label: 'State', options: TICKET_STATE_LABELS },
              priority: { kind: 'choice', label: 'Priority', options: PRIORITIES },
              category: {
                kind: 'choice',
                label: 'About',
                options: TICKET_CATEGORIES.map((name) => [name, TICKET_CATEGORY_LABELS[name]]),
              },
              assignee: { kind: 'text', label: 'Assignee' },
            }}
            getId={(row) => row.number}
            getLink={(row) => `/admin/tickets/${row.number}`}
            renderBulkActions={(rows, clear) => <BulkActions rows={rows} onDone={clear} />}
            empty={EMPTY_QUEUE}
            {...(emptyText !== undefined && { emptyView: { ...EMPTY_QUEUE, title: emptyText } })}
          />
        )}
      </Queue>
    </>
  )
}

/** The priorities, by number. */
export const PRIORITIES = [
  [3, 'Urgent'],
  [2, 'High'],
  [1, 'Normal'],
  [0, 'Low'],
] as const

/** Shows a priority other than the default. */
export function PriorityBadge({ priority }: { priority: number }) {
  if (priority === 1) return null
  const label = PRIORITIES.find(([number]) => number === priority)?.[1]
  return <StateBadge tone={priority === 3 ? 'bad' : priority === 2 ? 'attention' : 'off'}>{label}</StateBadge>
}

/** Takes, assigns or closes all ticked tickets, or none of them after an error. */
function BulkActions({ rows, onDone }: { rows: Row[]; onDone: () => void }) {
  const me = useMe()
  const assignees = useCall(getAssignees, {}).data?.rows ?? []
  const ticketsText = rows.length === 1 ? 'this ticket' : `${rows.length} tickets`
  const assignments = rows.map(({ number, assignee_num }) => ({ number, from: assignee_num }))
  const sharedProps = { endpoint: assignTickets, tone: 'secondary', onDone } as const
  return (
    <>
      <DeskAction {...sharedProps} input={{ tickets: assignments, to: me.user_num }} label="Take" />
      <DeskAction
        {...sharedProps}
        input={({ to }) => ({ tickets: assignments, to })}
        label="Assign…"
        confirmation={{
          title: `Assign ${ticketsText}?`,
          values: { to: null as number | null },
          fields: { to: createAssigneeField(assignees) },
        }}
      />
      {rows.some(({ state }) => state !== 'closed') && (
        <DeskAction
          endpoint={closeDeskTickets}
          input={{ tickets: rows.map(({ number, version }) => ({ number, version })) }}
          label="Close"
          tone="secondary"
          onDone={onDone}
          confirmation={{
            title: `Close ${ticketsText}?`,
            text: 'Each requester gets an email saying that their ticket is closed. A reply reopens it.',
          }}
        />
      )}
    </>
  )
}
