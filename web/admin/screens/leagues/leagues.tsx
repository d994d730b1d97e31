import { getDeskLeagues } from '#contract/desk-leagues.ts'
import { LEAGUE_PHASES } from '#contract/leagues.ts'
import { formatManilaEnd, formatManilaStart } from '#contract/manila.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { StateBadge, type Tone } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'

type Row = RowOf<typeof getDeskLeagues>

const TONES: Partial<Record<Row['phase'], Tone>> = {
  running: 'good',
  decided: 'attention',
  finalised: 'off',
  cancelled: 'off',
}

/** Shows the phase of a league as a badge. */
export function LeagueBadge({ phase }: Pick<Row, 'phase'>) {
  return <StateBadge tone={TONES[phase] ?? 'calm'}>{LEAGUE_PHASES[phase]}</StateBadge>
}

const columns: Column<Row>[] = [
  { key: 'name', title: 'League' },
  { key: 'phase', title: 'State', card: 'end', cell: ({ phase }) => <LeagueBadge phase={phase} /> },
  {
    key: 'counts',
    title: 'What counts',
    cell: ({ counts }) => (counts === 'areas' ? 'Areas at the end of a war' : 'Places in a war'),
  },
  { key: 'starts_at', title: 'From', cell: ({ starts_at }) => formatManilaStart(Date.parse(starts_at)) },
  { key: 'ends_at', title: 'To', cell: ({ ends_at }) => formatManilaEnd(Date.parse(ends_at)) },
  { key: 'leader', title: 'First' },
]

/** Lists all leagues of club wars, including drafts. */
export function Screen() {
  const planButton = <ButtonLink to="/admin/leagues/new">Plan a league</ButtonLink>
  return (
    <>
      <ScreenHead
        title="Leagues"
        line="Choose which club wars count, confirm their results, and make the table final a day after the last change."
        actions={planButton}
      />
      <List
        endpoint={getDeskLeagues}
        label="Leagues"
        columns={columns}
        filters={{
          state: {
            kind: 'choice',
            label: 'State',
            options: { draft: 'Draft', announced: 'Announced', finalised: 'Final', cancelled: 'Cancelled' },
          },
        }}
        getId={({ league }) => league}
        getLink={({ league }) => `/admin/leagues/${league}`}
        empty={{
          title: 'No leagues yet',
          line: 'Plan the first one. Players can’t see it until you announce it.',
          action: planButton,
        }}
      />
    </>
  )
}
