import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { BOARDS, type Board } from '#contract/game.ts'
import { monthName, monthOf } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import {
  deleteSeason,
  endSeasonNow,
  finaliseSeasonNow,
  getDeskSeason,
  saveSeason,
  writeDivisions,
} from '#contract/seasons.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { deskCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Fact, Facts, When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { SeasonState } from './seasons.tsx'

type Season = CallOutput<typeof getDeskSeason>

const BACK = { to: '/admin/rankings/seasons', label: 'Seasons' }
/** How often a season is asked for again while the job has something to do with it. */
const WAITING_MS = 3000

/** One season, or a new one. */
export function Screen() {
  const { season = '' } = useParams()
  if (season === 'new') return <NewSeason />
  return <OldSeason season={season} />
}

const BOARD_WORDS: Record<Board, [name: string, growth: string]> = {
  resu: ['Resu board', 'Resu since the start'],
  mmr: ['MMR board', 'MMR gained since the start'],
  level: ['Level board', 'Levels gained since the start'],
  richest: ['Richest board', 'Money gained since the start'],
  killer: ['Killer board', 'Kills since the start'],
}

const DIVISIONS = 'Bituin 1\nTala 5\nBuwan 20\nAraw 50\nLupa 100'
const MONTHS_AHEAD = 18

/** This month and the next ones, and whatever is chosen already. */
function monthsFrom(chosen: readonly string[]): string[] {
  const months: string[] = []
  for (let month = monthOf(Date.now()); months.length < MONTHS_AHEAD; month = monthOf(month.endsAt))
    months.push(month.id)
  return [...new Set([...chosen, ...months])].sort()
}

function NewSeason() {
  const navigate = useNavigate()
  const present = monthOf(Date.now())
  const [first, second] = [monthOf(present.endsAt), monthOf(monthOf(present.endsAt).endsAt)]
  const values = {
    season: null,
    version: null,
    name: '',
    first_month: first.id,
    last_month: monthOf(second.endsAt).id,
    divisions: DIVISIONS,
    resu: 'growth',
    mmr: 'points',
    level: 'growth',
    richest: 'growth',
    killer: 'growth',
  } as const
  return (
    <RecordPage back={BACK} title="New season">
      <DeskForm
        endpoint={saveSeason}
        values={values}
        input={(filled) => ({ ...filled, season: null, version: null })}
        submit="Plan it"
        onDone={({ season }) => navigate(`/admin/rankings/seasons/${season}`)}
      >
        {({ field, watch }) => (
          <>
            <FormGrid>
              <TextField label="Name" hint="Players see it" autoComplete="off" {...field('name')} />
              <span />
              <MonthField label="First month" chosen={[values.first_month]} {...field('first_month')} />
              <MonthField label="Last month" chosen={[values.last_month]} {...field('last_month')} />
              {BOARDS.map((board) => (
                <RuleField key={board} board={board} {...field(board)} />
              ))}
            </FormGrid>
            <DivisionsField typed={(watch('divisions') ?? '').length} {...field('divisions')} />
          </>
        )}
      </DeskForm>
    </RecordPage>
  )
}

type Registered = Omit<Parameters<typeof SelectField>[0], 'label' | 'children'>

function MonthField({ chosen, ...select }: Registered & { label: string; chosen: readonly string[] }) {
  return (
    <SelectField {...select}>
      {monthsFrom(chosen).map((month) => (
        <option key={month} value={month}>
          {monthName(month)}
        </option>
      ))}
    </SelectField>
  )
}

function RuleField({ board, ...select }: Registered & { board: Board }) {
  const [label, growth] = BOARD_WORDS[board]
  return (
    <SelectField label={label} {...select}>
      <option value="growth">{growth}</option>
      <option value="points">Points for the place in each month</option>
    </SelectField>
  )
}

type AreaProps = Omit<Parameters<typeof TextArea>[0], 'label' | 'limit'>

function DivisionsField(props: AreaProps) {
  return (
    <div>
      <TextArea label="Divisions, one per line, best first: name and share" limit={600} rows={6} {...props} />
      <p>
        “Tala 5” means that the best 5% of those ranked on a board are in Tala or better. The last one has 100:
        everybody else.
      </p>
    </div>
  )
}

function OldSeason({ season }: { season: string }) {
  const found = useCall(
    getDeskSeason,
    { season },
    { refetchInterval: ({ state }) => (isWaiting(state.data) ? WAITING_MS : false) },
  )
  return <Loaded of={found}>{(value) => <SeasonPage key={`${value.version} ${value.state}`} season={value} />}</Loaded>
}

/** Whether the next run of the job changes the season. */
const isWaiting = (season: Season | undefined) =>
  season?.state === 'ending' ||
  season?.state === 'finalising' ||
  (season?.state === 'planned' && season.first_month <= monthOf(Date.now()).id)

type Step = 'end' | 'finalise' | 'delete'

const STEPS = {
  planned: ['delete', 'Delete it', 'danger'],
  running: ['end', 'End it now', 'danger'],
  ended: ['finalise', 'Make it final', 'primary'],
} as const

function SeasonPage({ season }: { season: Season }) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Step | null>(null)
  const { name, state, version } = season
  const step = state in STEPS ? STEPS[state as keyof typeof STEPS] : undefined
  const shared = {
    onClose: () => setAsked(null),
    reason: 'required',
    input: (reason: string) => ({ season: season.season, version, reason }),
    done: ({ message }: { message: string }) => message,
  } as const
  return (
    <RecordPage
      back={BACK}
      title={name}
      badges={<SeasonState state={state} />}
      actions={
        step && (
          <Button tone={step[2]} onClick={() => setAsked(step[0])}>
            {step[1]}…
          </Button>
        )
      }
      facts={<SeasonFacts season={season} />}
    >
      {(state === 'planned' || state === 'running') && <SeasonForm season={season} />}
      <ConfirmDialog
        {...shared}
        open={asked === 'end'}
        title={`End ${name} now?`}
        action="End it now"
        tone="danger"
        endpoint={endSeasonNow}
      >
        <p>
          Its figures freeze within a minute, with this month as its last one. It can’t be resumed after that. If you
          wait, it ends automatically with {monthName(season.last_month)}.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        {...shared}
        open={asked === 'finalise'}
        title={`Make ${name} final?`}
        action="Make it final"
        endpoint={finaliseSeasonNow}
      >
        <p>
          Characters that are blocked or hidden now are taken out, and those behind them move up. After that the season
          can no longer change: not by a block, not by a rename, and not at the desk.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        {...shared}
        open={asked === 'delete'}
        title={`Delete ${name}?`}
        action="Delete it"
        tone="danger"
        endpoint={deleteSeason}
        onDone={() => navigate(BACK.to)}
      >
        <p>It has not begun, so only the plan is lost.</p>
      </ConfirmDialog>
    </RecordPage>
  )
}

function SeasonFacts({ season }: { season: Season }) {
  const { first_month, last_month, state, begun_at, ended_at, finalised_at, created_by, boards, divisions } = season
  return (
    <Facts>
      <Fact name="Months">
        {monthName(first_month)} to {monthName(last_month)}
      </Fact>
      <Fact name="Began">{begun_at === null ? 'Not yet' : <When at={begun_at} show="both" />}</Fact>
      {ended_at !== null && (
        <Fact name="Ended">
          <When at={ended_at} show="both" />
        </Fact>
      )}
      {finalised_at !== null && (
        <Fact name="Final since">
          <When at={finalised_at} show="both" />
        </Fact>
      )}
      <Fact name="Planned by">{created_by ?? '—'}</Fact>
      {state !== 'planned' &&
        boards.map(({ board, rule, ranked }) => (
          <Fact key={board} name={BOARD_WORDS[board][0]}>
            {rule === 'points' ? 'Points' : 'Growth'}, {formatCount(ranked)} ranked
          </Fact>
        ))}
      {(state === 'ended' || state === 'final' || state === 'finalising') && (
        <Fact name="Divisions">{writeDivisions(divisions).replaceAll('\n', '%, ')}%</Fact>
      )}
      <Fact name="On the site">
        {state === 'planned' ? 'When it begins' : <a href={`/rankings/season?season=${season.season}`}>Its boards</a>}
      </Fact>
    </Facts>
  )
}

const valuesOf = ({ name, first_month, last_month, divisions, boards }: Season) => ({
  name,
  first_month,
  last_month,
  divisions: writeDivisions(divisions),
  ...(Object.fromEntries(boards.map(({ board, rule }) => [board, rule])) as Record<Board, 'points' | 'growth'>),
})

/** What can still be changed: everything before it begins, then its name, its last month and its divisions. */
function SeasonForm({ season }: { season: Season }) {
  const hasBegun = season.begun_at !== null
  const values = valuesOf(season)
  const latest = async () => {
    const now = await deskCall(getDeskSeason, { season: season.season })
    return { version: now.version, values: valuesOf(now) }
  }
  return (
    <DeskForm
      endpoint={saveSeason}
      values={{ ...values, season: season.season, version: season.version }}
      version={season.version}
      input={(filled, seen) => ({
        ...filled,
        ...(hasBegun && { ...values, name: filled.name, last_month: filled.last_month, divisions: filled.divisions }),
        season: season.season,
        version: seen,
      })}
      latest={latest}
      labels={{ name: 'Name', first_month: 'First month', last_month: 'Last month', divisions: 'Divisions' }}
      done="Saved."
    >
      {({ field, watch }) => (
        <>
          <FormGrid>
            <TextField label="Name" hint="Players see it" autoComplete="off" {...field('name')} />
            <MonthField label="Last month" chosen={[season.last_month]} {...field('last_month')} />
            {!hasBegun && <MonthField label="First month" chosen={[season.first_month]} {...field('first_month')} />}
            {!hasBegun && BOARDS.map((board) => <RuleField key={board} board={board} {...field(board)} />)}
          </FormGrid>
          <DivisionsField typed={(watch('divisions') ?? '').length} {...field('divisions')} />
        </>
      )}
    </DeskForm>
  )
}
