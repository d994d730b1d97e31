import { useId } from 'react'
import { SCHOOLS } from '#contract/game.ts'
import { getClockParts } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import {
  getPlayersOnline,
  MONTH_POINT_COUNT,
  MONTH_POINT_PERIOD_MS,
  ONLINE_POINT_COUNT,
  ONLINE_POINT_PERIOD_MS,
  type Online,
} from '#contract/players-online.ts'
import { useCall } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './players-online.module.css'

const REFRESH_MS = 60_000
const POINT_WIDTH = 4
const CHART_HEIGHT = 100

/** Shows the players online now, over 24 hours and over 30 days. Renders nothing without a bridge to the game. */
export function PlayersOnline() {
  const id = useId()
  const { data } = useCall(getPlayersOnline, {}, { refetchInterval: REFRESH_MS })
  const online = data?.online ?? null
  if (online === null) return null
  const { date, minutes } = getClockParts(Date.parse(online.counted_at))
  return (
    <Panel title="Players online">
      <div className={styles.parts}>
        <p className={styles.now}>
          <b>
            <Value>{formatCount(online.players)}</Value>
          </b>{' '}
          {online.old ? (
            <span>
              at <Value dateTime={online.counted_at}>{`${minutes}, ${date}`}</Value>. We have had no newer count since.
            </span>
          ) : (
            <span>in the game now{online.demo && ' (demo data: no game is connected)'}</span>
          )}
        </p>
        <figure aria-labelledby={id} className={styles.day}>
          <figcaption id={id}>
            The last 24 hours, Manila time. Peak: <Value>{formatCount(online.most)}</Value>{' '}
            {online.most === 1 ? 'player' : 'players'}. Peak today: <Value>{formatCount(online.peak_today)}</Value>.
          </figcaption>
          <Series {...online} {...DAY_SCALE} />
        </figure>
      </div>
      <Month {...online.month} />
    </Panel>
  )
}

type Scale = { stepMs: number; pointsPerLabel: number; caption: string; formatLabel: (time: number) => string }

const DAY_SCALE: Scale = {
  stepMs: ONLINE_POINT_PERIOD_MS,
  pointsPerLabel: ONLINE_POINT_COUNT / 4,
  caption: 'Players online in each half hour',
  formatLabel: (time) => getClockParts(time).minutes,
}
const MONTH_SCALE: Scale = {
  stepMs: MONTH_POINT_PERIOD_MS,
  pointsPerLabel: MONTH_POINT_COUNT / 3,
  caption: 'Players online every four hours',
  // Without the weekday and the year.
  formatLabel: (time) => getClockParts(time).date.split(' ').slice(1, 3).join(' '),
}

/** Shows the counts over time as a stepped line, and as a table for screen readers. */
function Series({
  from,
  points,
  most,
  stepMs,
  pointsPerLabel,
  caption,
  formatLabel,
}: Pick<Online, 'from' | 'points' | 'most'> & Scale) {
  const start = Date.parse(from)
  const topValue = roundUpChartTop(most)
  const toY = (value: number) => CHART_HEIGHT - (value / topValue) * CHART_HEIGHT
  const labels = points.flatMap((_, index) =>
    index % pointsPerLabel === 0 ? [formatLabel(start + index * stepMs)] : [],
  )
  return (
    <>
      <div className={styles.chart} aria-hidden="true">
        <svg
          viewBox={`0 0 ${points.length * POINT_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path
            className={styles.grid}
            d={[0, CHART_HEIGHT / 2, CHART_HEIGHT].map((y) => `M0 ${y}h${points.length * POINT_WIDTH}`).join('')}
          />
          {splitRuns(points).map(({ startIndex, values }) => {
            const steps = values.map((value) => `V${toY(value).toFixed(1)}h${POINT_WIDTH}`).join('')
            const line = `M${startIndex * POINT_WIDTH} ${toY(values[0] ?? 0).toFixed(1)}${steps}`
            return (
              <g key={startIndex}>
                <path className={styles.area} d={`${line}V${CHART_HEIGHT}H${startIndex * POINT_WIDTH}Z`} />
                <path className={styles.line} d={line} />
              </g>
            )
          })}
        </svg>
        <Value>{formatCount(topValue)}</Value>
        <Value>{formatCount(topValue / 2)}</Value>
      </div>
      <div className={styles.hours} aria-hidden="true">
        {labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
        <span>now</span>
      </div>
      {/* A table can’t shrink below the size of its rows, so the wrapper has the hidden style instead. */}
      <div className="visually-hidden">
        <table>
          <caption>{caption}</caption>
          <tbody>
            {points.map((value, index) => {
              const time = start + index * stepMs
              const { date, minutes } = getClockParts(time)
              return (
                <tr key={time}>
                  <th scope="row">{stepMs === ONLINE_POINT_PERIOD_MS ? minutes : `${date}, ${minutes}`}</th>
                  <td>{value === null ? 'not counted' : formatCount(value)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Shows the last 30 days, with players by school and class (STATUS-3). */
function Month({ schools, classes, up_percent: upPercent, ...month }: Online['month']) {
  const id = useId()
  const uptimeNote = upPercent === null ? '' : ` The game was up ${upPercent}% of the time that we watched.`
  return (
    <div className={styles.month}>
      <figure aria-labelledby={id} className={styles.day}>
        <figcaption id={id}>
          The last 30 days. Peak: <Value>{formatCount(month.most)}</Value> {month.most === 1 ? 'player' : 'players'}.
          {uptimeNote}
        </figcaption>
        <Series {...month} {...MONTH_SCALE} />
      </figure>
      {schools.length > 0 && (
        <Groups
          title="By school"
          groups={schools.map(({ school, ...group }) => ({ ...group, name: SCHOOLS[school ?? -1]?.name ?? 'Others' }))}
        />
      )}
      {classes.length > 0 && (
        <Groups
          title="By class"
          groups={classes.map(({ class: name, ...group }) => ({ ...group, name: name ?? 'Others' }))}
        />
      )}
    </div>
  )
}

type Group = { name: string; now: number; average: number; most: number }

/** Shows the players online now of each group, as a bar, and their average. */
function Groups({ title, groups }: { title: string; groups: readonly Group[] }) {
  const topValue = Math.max(1, ...groups.flatMap(({ now, average }) => [now, average]))
  return (
    <table className={styles.groups}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{title}</span>
          </th>
          <th scope="col">Now</th>
          <th scope="col">Average of 30 days</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ name, now, average }) => (
          <tr key={name}>
            <th scope="row">
              <span className={styles.name}>{name}</span>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <path className={styles.bar} d={`M0 0H${(now / topValue) * 100}V6H0Z`} />
                <path className={styles.tick} d={`M${(average / topValue) * 100} 0V6`} />
              </svg>
            </th>
            <td>
              <Value>{formatCount(now)}</Value>
            </td>
            <td>{average < 10 ? average : formatCount(Math.round(average))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Splits the points into runs without gaps, each with the index of its first point. */
function splitRuns(points: Online['points']): { startIndex: number; values: number[] }[] {
  const runs: { startIndex: number; values: number[] }[] = []
  points.forEach((value, index) => {
    const lastRun = runs.at(-1)
    if (value === null) return
    if (lastRun !== undefined && lastRun.startIndex + lastRun.values.length === index) lastRun.values.push(value)
    else runs.push({ startIndex: index, values: [value] })
  })
  return runs
}

/** Rounds the top of a chart up to an even number with one significant digit. */
function roundUpChartTop(value: number): number {
  const unit = Math.max(2, 10 ** Math.floor(Math.log10(Math.max(value, 1))))
  return Math.max(1, Math.ceil(value / unit)) * unit
}
