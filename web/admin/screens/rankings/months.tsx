import { formatMonth } from '#contract/manila.ts'
import { getMonths } from '#contract/rankings.ts'
import { formatManilaTime, StateBadge } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { RankingTabs } from './rankings.tsx'

const columns: Column<RowOf<typeof getMonths>>[] = [
  { key: 'month', title: 'Month', cell: ({ period }) => formatMonth(period) },
  {
    key: 'state',
    title: 'State',
    card: 'end',
    cell: ({ open }) =>
      open ? <StateBadge tone="attention">Open</StateBadge> : <StateBadge tone="off">Closed</StateBadge>,
  },
  { key: 'closed_at', title: 'Closed', kind: 'when' },
  {
    key: 'values',
    title: 'Values from the game',
    cell: ({ values_from, values_at }) => {
      if (values_from === null && values_at === null) return '—'
      const [from, to] = [values_from, values_at].map((at) => (at === null ? null : formatManilaTime(new Date(at))))
      return [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ')
    },
  },
  { key: 'characters', title: 'Characters', align: 'end' },
  { key: 'corrections', title: 'Corrections', align: 'end' },
]

/** Lists the months of the rankings. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="Rankings"
        line="Closed months stay as they were, even if a player is blocked later. Only staff can change them, and the old values are stored."
      >
        <RankingTabs current="months" />
      </ScreenHead>
      <List
        endpoint={getMonths}
        label="Months"
        columns={columns}
        getId={({ period }) => period}
        getLink={({ period, open }) => (open ? '/rankings' : `/admin/rankings/${period}`)}
        empty={{ title: 'No months yet', line: 'The first one begins when the site starts.' }}
      />
    </>
  )
}
