import { decideAppeal, getAppeals } from '#contract/appeals.ts'
import layout from '#web/ui/layout.module.css'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, type States, toStateOptions, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { Queue } from '../../kit/queue.tsx'
import { ScreenHead } from '../../kit/screen.tsx'

type Row = RowOf<typeof getAppeals>

const STATES: States<Row['state']> = {
  waiting: ['Waits', 'attention'],
  lifted: ['Block lifted', 'good'],
  stays: ['Block stays', 'bad'],
  over: ['Block over', 'off'],
}

const columns: Column<Row>[] = [
  { key: 'user_id', title: 'Player', cell: (row) => <PlayerLink userNum={row.user_num} userId={row.user_id} /> },
  { key: 'state', title: 'State', card: 'end', states: STATES },
  {
    key: 'text',
    title: 'Appeal',
    card: 'wide',
    cell: (row) => <p className={`${text.breaks} ${deskLayout.lines} ${text.brief}`}>{row.text}</p>,
  },
  { key: 'reason', title: 'The block', card: 'wide', cell: (row) => <Block row={row} /> },
  { key: 'made_at', title: 'Sent', kind: 'when', sort: 'appeal' },
  { key: 'due_at', title: 'Answer by', cell: (row) => (row.state === 'waiting' ? <When at={row.due_at} /> : '—') },
  { key: 'decide', title: '', card: 'wide', cell: (row) => <Decision row={row} /> },
]

/** Shows the reason, the end and the author of a block. */
function Block({ row }: { row: Row }) {
  return (
    <>
      <p className={`${text.breaks} ${deskLayout.lines} ${text.brief}`}>{row.reason}</p>
      {row.note !== '' && <p className={`${text.quiet} ${text.brief}`}>{row.note}</p>}
      <p className={`${text.quiet} ${text.brief}`}>
        {row.blocked_by === null ? 'In the game' : `By ${row.blocked_by}`}, <When at={row.blocked_at} />
        {row.ends_at !== null && (
          <>
            , until <When at={row.ends_at} show="date" />
          </>
        )}
      </p>
    </>
  )
}

/** Shows the decision on an appeal, or the two buttons to decide it. */
function Decision({ row }: { row: Row }) {
  const { appeal, user_id } = row
  if (row.decided_at !== null)
    return (
      <>
        <p className={`${text.breaks} ${deskLayout.lines} ${text.brief}`}>{row.answer}</p>
        <p className={`${text.quiet} ${text.brief}`}>
          {row.decided_by}, <When at={row.decided_at} />
        </p>
      </>
    )
  if (row.state === 'over') return null
  if (row.why_not !== null) return <p className={`${text.quiet} ${text.brief}`}>{row.why_not}</p>
  const confirmation = { reason: 'required', reasonHint: 'the player gets it by email, without your name' } as const
  return (
    <div className={layout.buttons}>
      <DeskAction
        endpoint={decideAppeal}
        input={{ appeal, outcome: 'lifted' as const }}
        label="Lift the block…"
        about={user_id}
        confirmation={{
          ...confirmation,
          title: `Lift the block of ${user_id}?`,
          text: 'They can log in at once and get an email about it.',
        }}
      />
      <DeskAction
        endpoint={decideAppeal}
        input={{ appeal, outcome: 'stays' as const }}
        label="The block stays…"
        about={user_id}
        tone="secondary"
        confirmation={{
          ...confirmation,
          title: `Does the block of ${user_id} stay?`,
          action: 'The block stays',
          tone: 'danger',
          text: 'They get an email about it, and cannot appeal against this block again.',
        }}
      />
    </div>
  )
}

const VIEWS = [
  { label: 'Waiting', query: 'state=waiting', emptyText: 'No appeals' },
  { label: 'Block lifted', query: 'state=lifted&sort=-appeal', emptyText: 'No block was lifted' },
  { label: 'Block stays', query: 'state=stays&sort=-appeal', emptyText: 'No appeal was turned down' },
  { label: 'All', query: 'sort=-appeal', emptyText: 'No appeals' },
] as const

const EMPTY_QUEUE = { title: 'No appeals', line: 'When a blocked player appeals, it appears here.' }

/** Appeals of blocked players. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="Appeals"
        line="Blocked players can appeal against each block one time. An operator who did not set the block decides, if there is one."
      />
      <Queue views={VIEWS} viewFilters={['state']}>
        {(emptyText) => (
          <List
            endpoint={getAppeals}
            label="Appeals"
            columns={columns}
            filters={{
              q: { kind: 'search', label: 'User ID' },
              state: { kind: 'choice', label: 'State', options: toStateOptions(STATES) },
            }}
            getId={({ appeal }) => appeal}
            empty={EMPTY_QUEUE}
            {...(emptyText !== undefined && { emptyView: { ...EMPTY_QUEUE, title: emptyText } })}
          />
        )}
      </Queue>
    </>
  )
}
