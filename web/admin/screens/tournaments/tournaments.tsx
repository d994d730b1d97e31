import { getDeskTournaments } from '#contract/desk-tournaments.ts'
import { TOURNAMENT_FORMATS, TOURNAMENT_PHASES } from '#contract/tournaments.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { StateBadge, type Tone, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'

type Row = RowOf<typeof getDeskTournaments>

const TONES: Partial<Record<Row['phase'], Tone>> = {
  open: 'good',
  checkin: 'attention',
  ready: 'attention',
  running: 'good',
  decided: 'attention',
  finalised: 'off',
  cancelled: 'off',
}

/** Shows the phase of a tournament as a badge. */
export function PhaseBadge({ phase }: Pick<Row, 'phase'>) {
  return <StateBadge tone={TONES[phase] ?? 'calm'}>{TOURNAMENT_PHASES[phase]}</StateBadge>
}

const columns: Column<Row>[] = [
  { key: 'name', title: 'Tournament' },
  { key: 'phase', title: 'State', card: 'end', cell: ({ phase }) => <PhaseBadge phase={phase} /> },
  {
    key: 'format',
    title: 'Format',
    cell: ({ format, kind }) => `${TOURNAMENT_FORMATS[format]}, ${kind === 'clubs' ? 'clubs' : 'players'}`,
  },
  {
    key: 'entries',
    title: 'Entries',
    align: 'end',
    cell: ({ entries, max_entries }) => `${entries} of ${max_entries}`,
  },
  { key: 'starts_at', title: 'First match', cell: ({ starts_at }) => <When at={starts_at} show="both" /> },
  { key: 'winner', title: 'Winner' },
]

/** Lists all tournaments, including drafts. */
export function Screen() {
  const plan = <ButtonLink to="/admin/tournaments/new">Plan a tournament</ButtonLink>
  return (
    <>
      <ScreenHead
        title="Tournaments"
        line="Announce one, draw its bracket when check-in has closed, enter results while it runs, and make it final a day after the last result."
        actions={plan}
      />
      <List
        endpoint={getDeskTournaments}
        label="Tournaments"
        columns={columns}
        filters={{
          state: {
            kind: 'choice',
            label: 'State',
            options: {
              draft: 'Draft',
              announced: 'Announced',
              drawn: 'Running',
              finalised: 'Final',
              cancelled: 'Cancelled',
            },
          },
        }}
        getId={({ tournament }) => tournament}
        getLink={({ tournament }) => `/admin/tournaments/${tournament}`}
        empty={{
          title: 'No tournaments yet',
          line: 'Plan the first one. Players can’t see it until you announce it.',
          action: plan,
        }}
      />
    </>
  )
}
