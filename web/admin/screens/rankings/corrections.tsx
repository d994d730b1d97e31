import { formatMonth } from '#contract/manila.ts'
import { getCorrections } from '#contract/rankings.ts'
import { When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { Differences } from '../../kit/timeline.tsx'
import { RankingTabs } from './rankings.tsx'

type Correction = RowOf<typeof getCorrections>

const columns: Column<Correction>[] = [
  { key: 'character', title: 'Character', cell: ({ cha_name, cha_num }) => cha_name || `No. ${cha_num}` },
  { key: 'month', title: 'Month', card: 'end', cell: ({ period }) => formatMonth(period) },
  {
    key: 'what',
    title: 'What',
    card: 'wide',
    cell: ({ kind, changes }) =>
      kind === 'corrected' ? <Differences changes={changes} /> : kind === 'taken out' ? 'Taken out' : 'Put back',
  },
  { key: 'reason', title: 'Reason', card: 'wide', cell: ({ reason }) => `“${reason}”` },
  {
    key: 'by',
    title: 'By',
    cell: ({ by, at }) => (
      <>
        {by ?? '—'} <When at={at} />
      </>
    ),
  },
]

/** Lists the changes of closed months. */
export function Screen() {
  return (
    <>
      <ScreenHead title="Rankings" line="Every change to a closed month, with the previous value.">
        <RankingTabs current="corrections" />
      </ScreenHead>
      <List
        endpoint={getCorrections}
        label="Corrections"
        columns={columns}
        filters={{
          period: { kind: 'text', label: 'Month, such as 2026-10' },
          character: { kind: 'text', label: 'Character’s number' },
        }}
        getId={({ correction }) => correction}
        getLink={({ period, cha_num }) => `/admin/rankings/${period}/${cha_num}`}
        empty={{ title: 'No corrections yet', line: 'Open a closed month to correct a character’s entry.' }}
      />
    </>
  )
}
