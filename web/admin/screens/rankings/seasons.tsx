import { formatMonth } from '#contract/manila.ts'
import { getDeskSeasons } from '#contract/seasons.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import type { States } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { RankingTabs } from './rankings.tsx'

type Season = RowOf<typeof getDeskSeasons>

/** The label and tone of each state of a season. */
export const SEASON_STATES: States<Season['state']> = {
  planned: ['Planned', 'calm'],
  running: ['Running', 'attention'],
  ending: ['Ending…', 'attention'],
  ended: ['Over, needs checking', 'attention'],
  finalising: ['Being made final…', 'attention'],
  final: ['Final', 'off'],
}

const columns: Column<Season>[] = [
  { key: 'name', title: 'Season' },
  { key: 'state', title: 'State', card: 'end', states: SEASON_STATES },
  { key: 'first_month', title: 'First month', cell: ({ first_month }) => formatMonth(first_month) },
  { key: 'last_month', title: 'Last month', cell: ({ last_month }) => formatMonth(last_month) },
  { key: 'ranked', title: 'Ranked characters', kind: 'count' },
]

/** Lists planned, running and finished seasons. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="Rankings"
        line="A season ranks several months together, from the start of the first to the end of the last. When it is over, check the result and make it final."
        actions={<ButtonLink to="/admin/rankings/seasons/new">New season</ButtonLink>}
      >
        <RankingTabs current="seasons" />
      </ScreenHead>
      <List
        endpoint={getDeskSeasons}
        label="Seasons"
        columns={columns}
        getId={({ season }) => season}
        getLink={({ season }) => `/admin/rankings/seasons/${season}`}
        empty={{ title: 'No seasons yet', line: 'Plan one for this month or a later one.' }}
      />
    </>
  )
}
