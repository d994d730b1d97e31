import { useParams, useSearchParams } from 'react-router'
import { BOARDS, type Board } from '#contract/game.ts'
import { formatMonth, toDayRange } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { getMonth } from '#contract/rankings.ts'
import { TabLinks } from '#web/ui/tabs.tsx'
import { StateBadge } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { PostButton } from '../../kit/post-button.tsx'
import { RecordPage } from '../../kit/screen.tsx'
import { ScreenNotFound } from '../../notices.tsx'

type Entry = RowOf<typeof getMonth>

const BOARD_LABELS: Record<Board, string> = {
  resu: 'Resu',
  mmr: 'MMR',
  level: 'Level',
  richest: 'Richest',
  killer: 'Killer',
}

const FIGURE_COLUMNS: Record<Board, { title: string; cell: (row: Entry) => string | number }> = {
  resu: { title: 'Resu', cell: ({ resu }) => formatCount(resu) },
  mmr: { title: 'MMR', cell: ({ mmr }) => formatCount(mmr) },
  level: { title: 'Level', cell: ({ cha_level }) => cha_level },
  richest: { title: 'Money', cell: ({ money }) => formatCount(money) },
  killer: { title: 'Kills', cell: ({ kills, deaths }) => `${formatCount(kills)} (${formatCount(deaths)} deaths)` },
}

/** Shows a closed month by board. Operators can open an entry to correct it or take it out. */
export function Screen() {
  const { period = '' } = useParams()
  const [query] = useSearchParams()
  const board = BOARDS.find((name) => name === query.get('board')) ?? 'resu'
  if (toDayRange(`${period}-01`) === undefined) return <ScreenNotFound />
  const columns: Column<Entry>[] = [
    { key: 'cha_name', title: 'Character' },
    { key: 'place', title: 'Place', align: 'end', card: 'end' },
    { key: 'closed_place', title: 'Place when it closed', align: 'end' },
    { key: 'figure', ...FIGURE_COLUMNS[board], align: 'end' },
    { key: 'user_id', title: 'Player' },
    { key: 'state', title: 'State', card: 'wide', cell: (row) => <EntryState entry={row} /> },
  ]
  return (
    <RecordPage
      back={{ to: '/admin/rankings/months', label: 'Closed months' }}
      title={formatMonth(period)}
      actions={<PostButton kind="month" page={period} />}
    >
      <TabLinks
        label="Boards"
        tabs={BOARDS.map((key) => ({ key, label: BOARD_LABELS[key], to: `?board=${key}` }))}
        current={board}
      />
      <List
        endpoint={getMonth}
        label={`${BOARD_LABELS[board]} of ${formatMonth(period)}`}
        columns={columns}
        fixedInput={{ period, board }}
        getId={({ cha_num }) => cha_num}
        getLink={({ cha_num }) => `/admin/rankings/${period}/${cha_num}?board=${board}`}
        empty={{ title: 'No characters', line: 'This board had no characters in this month.' }}
      />
    </RecordPage>
  )
}

/** Shows why players do not see an entry, or a fact about it that players may ask about. */
export function EntryState({ entry: { taken_out_at, hidden, blocked, corrections } }: { entry: Entry }) {
  return (
    <>
      {taken_out_at !== null && <StateBadge tone="bad">Taken out</StateBadge>}
      {hidden && <StateBadge tone="bad">Hidden</StateBadge>}
      {blocked && <StateBadge tone="attention">Player blocked</StateBadge>}
      {corrections > 0 && <StateBadge>Changed</StateBadge>}
    </>
  )
}
