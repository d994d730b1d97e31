import { useNavigate, useParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { BOARDS, type Board } from '#contract/game.ts'
import { formatMonth, getMonth } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import {
  deleteSeason,
  endSeasonNow,
  finaliseSeasonNow,
  formatDivisions,
  getDeskSeason,
  saveSeason,
  seasonFields,
} from '#contract/seasons.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { type FactList, State, When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { SEASON_STATES } from './seasons.tsx'

type Season = CallOutput<typeof getDeskSeason>

const BACK_LINK = { to: '/admin/rankings/seasons', label: 'Seasons' }
/** The interval at which the screen reloads a season while a job works on it, in ms. */
const RELOAD_MS = 3000

/** Shows one season, or creates one. */
export function Screen() {
  const { season = '' } = useParams()
  if (season === 'new') return <NewSeason />
  return <ExistingSeason season={season} />
}

const DEFAULT_DIVISIONS = 'Diamond 1\nGold 5\nSilver 20\nBronze 50\nIron 100'
const MONTHS_AHEAD = 18

/** Returns the options for the first and the last month: this month, the following ones, and the chosen ones. */
function createMonthOptions(chosenMonths: readonly string[]) {
  const months: string[] = []
  for (let month = getMonth(Date.now()); months.length < MONTHS_AHEAD; month = getMonth(month.endsAt))
    months.push(month.id)
  const options = [...new Set([...chosenMonths, ...months])].sort().map((month) => [month, formatMonth(month)] as const)
  return { first_month: { options }, last_month: { options } }
}

function NewSeason() {
  const navigate = useNavigate()
  const currentMonth = getMonth(Date.now())
  const [firstMonth, secondMonth] = [getMonth(currentMonth.endsAt), getMonth(getMonth(currentMonth.endsAt).endsAt)]
  const values = {
    season: null,
    version: null,
    first_month: firstMonth.id,
    last_month: getMonth(secondMonth.endsAt).id,
    divisions: DEFAULT_DIVISIONS,
    resu: 'growth',
    mmr: 'points',
    level: 'growth',
    richest: 'growth',
    killer: 'growth',
  } as const
  return (
    <RecordPage back={BACK_LINK} title="New season">
      <DeskForm
        endpoint={saveSeason}
        fields={seasonFields}
        fieldAdditions={createMonthOptions([])}
        values={values}
        submitLabel="Plan it"
        successMessage={null}
        onDone={({ season }) => navigate(`/admin/rankings/seasons/${season}`)}
        show={[['name', <span key="gap" />, 'first_month', 'last_month', ...BOARDS], 'divisions']}
      />
    </RecordPage>
  )
}

function ExistingSeason({ season }: { season: string }) {
  const seasonQuery = useCall(
    getDeskSeason,
    { season },
    { refetchInterval: ({ state }) => (isWaiting(state.data) ? RELOAD_MS : false) },
  )
  return (
    <Loaded result={seasonQuery}>
      {(value) => <SeasonPage key={`${value.version} ${value.state}`} season={value} />}
    </Loaded>
  )
}

/** Whether the next run of the job changes the season. */
const isWaiting = (season: Season | undefined) =>
  season?.state === 'ending' ||
  season?.state === 'finalising' ||
  (season?.state === 'planned' && season.first_month <= getMonth(Date.now()).id)

function SeasonPage({ season }: { season: Season }) {
  const { name, state } = season
  return (
    <RecordPage
      back={BACK_LINK}
      title={name}
      badges={<State states={SEASON_STATES} state={state} />}
      actions={<NextStepButton season={season} />}
      facts={listFacts(season)}
    >
      {(state === 'planned' || state === 'running') && <SeasonForm season={season} />}
    </RecordPage>
  )
}

function NextStepButton({ season: { season, version, name, state, last_month } }: { season: Season }) {
  const navigate = useNavigate()
  const input = { season, version }
  if (state === 'planned')
    return (
      <DeskAction
        endpoint={deleteSeason}
        input={input}
        label="Delete it…"
        tone="danger"
        confirmation={{
          title: `Delete ${name}?`,
          text: 'It has not begun, so only the plan is lost.',
          reason: 'required',
        }}
        onDone={() => navigate(BACK_LINK.to)}
      />
    )
  if (state === 'running')
    return (
      <DeskAction
        endpoint={endSeasonNow}
        input={input}
        label="End it now…"
        tone="danger"
        confirmation={{
          title: `End ${name} now?`,
          text: `Its figures freeze within a minute, with this month as its last one. It can’t be resumed after that. If you wait, it ends automatically with ${formatMonth(last_month)}.`,
          reason: 'required',
        }}
      />
    )
  if (state !== 'ended') return null
  return (
    <DeskAction
      endpoint={finaliseSeasonNow}
      input={input}
      label="Make it final…"
      confirmation={{
        title: `Make ${name} final?`,
        text: 'Characters that are blocked or hidden now are taken out, and those behind them move up. After that the season can no longer change: not by a block, not by a rename, and not at the desk.',
        reason: 'required',
      }}
    />
  )
}

function listFacts(season: Season): FactList {
  const { first_month, last_month, state, begun_at, ended_at, finalised_at, created_by, boards, divisions } = season
  const countedBoards = state === 'planned' ? [] : boards
  const isOver = state === 'ended' || state === 'final' || state === 'finalising'
  return {
    Months: `${formatMonth(first_month)} to ${formatMonth(last_month)}`,
    Began: begun_at === null ? 'Not yet' : <When at={begun_at} show="both" />,
    Ended: ended_at !== null && <When at={ended_at} show="both" />,
    'Final since': finalised_at !== null && <When at={finalised_at} show="both" />,
    'Planned by': created_by ?? '—',
    ...Object.fromEntries(
      countedBoards.map(({ board, rule, ranked }) => [
        seasonFields[board].label,
        `${rule === 'points' ? 'Points' : 'Growth'}, ${formatPlural(ranked, 'character')} ranked`,
      ]),
    ),
    Divisions: isOver && `${formatDivisions(divisions).replaceAll('\n', '%, ')}%`,
    'On the site':
      state === 'planned' ? 'When it begins' : <a href={`/rankings/season?season=${season.season}`}>Its boards</a>,
  }
}

const toValues = ({ boards, divisions, ...season }: Season) => ({
  ...season,
  divisions: formatDivisions(divisions),
  ...(Object.fromEntries(boards.map(({ board, rule }) => [board, rule])) as Record<Board, 'points' | 'growth'>),
})

/**
 * Edits the fields that can still change: all of them before the season begins, later only its name, its last month and
 * its divisions.
 */
function SeasonForm({ season }: { season: Season }) {
  const isPlanned = season.begun_at === null
  return (
    <DeskForm
      endpoint={saveSeason}
      fields={seasonFields}
      fieldAdditions={createMonthOptions([season.first_month, season.last_month])}
      values={toValues(season)}
      fetchLatest={async () => toValues(await deskCall(getDeskSeason, { season: season.season }))}
      successMessage="Saved."
      show={[['name', 'last_month', ...(isPlanned ? (['first_month', ...BOARDS] as const) : [])], 'divisions']}
    />
  )
}
