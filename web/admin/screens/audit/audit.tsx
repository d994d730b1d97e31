import { useSearchParams } from 'react-router'
import { getAuditActions, getAuditLog } from '#contract/staff.ts'
import { useCall } from '#web/api/queries.ts'
import layout from '#web/ui/layout.module.css'
import text from '#web/ui/text.module.css'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, TargetLink } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { Differences } from '../../kit/timeline.tsx'

type Entry = RowOf<typeof getAuditLog>

function Actor({ row }: { row: Entry }) {
  if (row.actor_num !== null) return <PlayerLink userNum={row.actor_num} userId={row.actor} />
  return (
    <span>
      {row.actor} <span className={deskLayout.faint}>{row.actor_kind}</span>
    </span>
  )
}

const columns: Column<Entry>[] = [
  { key: 'actor', title: 'Who', cell: (row) => <Actor row={row} /> },
  {
    key: 'action',
    title: 'What',
    card: 'wide',
    cell: (row) => (
      <div className={layout.shrinks}>
        <p>
          {row.what} · <TargetLink kind={row.target_kind} id={row.target_id} />
        </p>
        {row.reason !== '' && <p className={text.quiet}>“{row.reason}”</p>}
        {!row.shown && <p className={text.quiet}>Your roles don’t let you see the changes.</p>}
        {row.changes.length > 0 && <Differences changes={row.changes} />}
      </div>
    ),
  },
  {
    key: 'player',
    title: 'Player',
    cell: (row) => (row.player === null ? '—' : <PlayerLink userNum={row.player} userId={row.player_id} />),
  },
  { key: 'at', title: 'When', kind: 'when', card: 'end' },
  { key: 'address', title: 'IP address', cell: (row) => row.address || '—' },
]

/** Lists the actions of staff, commands and jobs. */
export function Screen() {
  const { data } = useCall(getAuditActions, {})
  const [query] = useSearchParams()
  const actions = (data?.actions ?? []).map(({ action, what }) => [action, what] as const)
  return (
    <>
      <ScreenHead
        title="Audit log"
        line="Everything that staff, commands and jobs have done. Entries can’t be changed or deleted."
      />
      <List
        endpoint={getAuditLog}
        label="Audit log"
        columns={columns}
        fixedInput={{ views: query.get('views') === 'shown' ? 'shown' : 'hidden' }}
        filters={{
          actor: { kind: 'search', label: 'Who: a user ID, a command or a job' },
          action: { kind: 'choice', label: 'What', options: actions.toSorted(([, a], [, b]) => (a < b ? -1 : 1)) },
          player: { kind: 'text', label: 'Player' },
          views: { kind: 'choice', label: 'Opened pages', options: [['shown', 'Shown']], all: 'Hidden' },
          target_kind: { kind: 'link', label: 'About' },
          target_id: { kind: 'link', label: 'Number' },
          from: { kind: 'day', label: 'From' },
          until: { kind: 'day', label: 'Until' },
        }}
        getId={(row) => row.entry}
        empty={{
          title: 'Nothing yet',
          line: 'Actions of staff, commands and jobs appear here.',
        }}
      />
    </>
  )
}
