import { getSilences } from '#contract/desk-forum.ts'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { ForumTabs, LiftSilence } from './parts.tsx'

type Row = RowOf<typeof getSilences>

const columns: Column<Row>[] = [
  { key: 'player', title: 'Player', cell: (row) => <PlayerLink userNum={row.user_num} userId={row.user_id} /> },
  { key: 'reason', title: 'Reason', card: 'wide' },
  { key: 'silenced_by', title: 'Silenced by' },
  { key: 'starts_at', title: 'Since', kind: 'when', sort: 'silence' },
  { key: 'until', title: 'Until', cell: (row) => <When at={row.lifted_at ?? row.ends_at} /> },
  {
    key: 'act',
    title: '',
    align: 'end',
    card: 'end',
    cell: (row) =>
      row.is_on ? (
        <LiftSilence
          silence={row.silence}
          name={row.user_id}
          label="Lift"
          about={`the silence of ${row.user_id}`}
          tone="secondary"
        />
      ) : (
        <StateBadge tone="off">{row.lifted_at === null ? 'Over' : `Lifted by ${row.lifted_by}`}</StateBadge>
      ),
  },
]

/** Lists current and past silences. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="Silences"
        line="A silenced player can read the forum but not post in it until the silence ends. To silence a player, open one of their posts."
      >
        <ForumTabs current="silences" />
      </ScreenHead>
      <List
        endpoint={getSilences}
        label="Silences"
        columns={columns}
        filters={{
          q: { kind: 'search', label: 'User ID or character' },
          state: {
            kind: 'choice',
            label: 'State',
            options: { on: 'Silenced now', over: 'Over' },
          },
        }}
        getId={({ silence }) => silence}
        empty={{ title: 'No silences yet', line: 'Players who are or were silenced are listed here.' }}
      />
    </>
  )
}
