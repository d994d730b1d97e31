import { useId } from 'react'
import { SCHOOLS } from '#contract/game.ts'
import { getClockParts } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import {
  getPlayersOnline,
  MONTH_POINTS,
  MONTH_STEP_MS,
  ONLINE_POINTS,
  ONLINE_STEP_MS,
  type Online,
} from '#contract/players-online.ts'
import { useCall } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './players-online.module.css'

const REFRESH_MS = 60_000
const WIDTH = 4
const HEIGHT = 100

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
            The last 24 hours, Manila time. Peak: <Value>{formatCount(online.most)}</Value> at once, today{' '}
            <Value>{formatCount(online.peak_today)}</Value>.
          </figcaption>
          <Series {...online} {...DAY} />
        </figure>
      </div>
      <Month {...online.month} />
    </Panel>
  )
}

type Scale = { stepMs: number; labelEvery: number; caption: string; formatLabel: (moment: number) => string }

const DAY: Scale = {
  stepMs: ONLINE_STEP_MS,
  labelEvery: ONLINE_POINTS / 4,
  caption: 'Players online in each half hour',
  formatLabel: (moment) => getClockParts(moment).minutes,
}
const MONTH: Scale = {
  stepMs: MONTH_STEP_MS,
  labelEvery: MONTH_POINTS / 3,
  caption: 'Players online every four hours',
  // Without the weekday and the year.
  formatLabel: (moment) => getClockParts(moment).date.split(' ').slice(1, 3).join(' '),
}

/** Counts over time as a stepped line, and as a table for screen readers. */
function Series({
  from,
  points,
  most,
  stepMs,
  labelEvery,
  caption,
  formatLabel,
}: Pick<Online, 'from' | 'points' | 'most'> & Scale) {
  const start = Date.parse(from)
  const top = roundUp(most)
  const height = (value: number) => HEIGHT - (value / top) * HEIGHT
  const labels = points.flatMap((_, nth) => (nth % labelEvery === 0 ? [formatLabel(start + nth * stepMs)] : []))
  return (
    <>
      <div className={styles.chart} aria-hidden="true">
        <svg viewBox={`0 0 ${points.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path
            className={styles.grid}
            d={[0, HEIGHT / 2, HEIGHT].map((y) => `M0 ${y}h${points.length * WIDTH}`).join('')}
          />
          {splitRuns(points).map(({ first, values }) => {
            const steps = values.map((value) => `V${height(value).toFixed(1)}h${WIDTH}`).join('')
            const line = `M${first * WIDTH} ${height(values[0] ?? 0).toFixed(1)}${steps}`
            return (
              <g key={first}>
                <path className={styles.area} d={`${line}V${HEIGHT}H${first * WIDTH}Z`} />
                <path className={styles.line} d={line} />
              </g>
            )
          })}
        </svg>
        <Value>{formatCount(top)}</Value>
        <Value>{formatCount(top / 2)}</Value>
      </div>
      <div className={styles.hours} aria-hidden="true">
        {labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
        <span>now</span>
      </div>
      {/* A table is never smaller than its rows, so a box around it hides it. */}
      <div className="visually-hidden">
        <table>
          <caption>{caption}</caption>
          <tbody>
            {points.map((value, nth) => {
              const moment = start + nth * stepMs
              const { date, minutes } = getClockParts(moment)
              return (
                <tr key={moment}>
                  <th scope="row">{stepMs === ONLINE_STEP_MS ? minutes : `${date}, ${minutes}`}</th>
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

/** The last 30 days, with players by school and class (STATUS-3). */
function Month({ schools, classes, up_percent: up, ...month }: Online['month']) {
  const id = useId()
  const isUp = up === null ? '' : ` The game was up ${up}% of the time that we watched.`
  return (
    <div className={styles.month}>
      <figure aria-labelledby={id} className={styles.day}>
        <figcaption id={id}>
          The last 30 days. Peak: <Value>{formatCount(month.most)}</Value> at once.{isUp}
        </figcaption>
        <Series {...month} {...MONTH} />
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

/** Each group with its players online now, as a bar, and its average. */
function Groups({ title, groups }: { title: string; groups: readonly Group[] }) {
  const top = Math.max(1, ...groups.flatMap(({ now, average }) => [now, average]))
  return (
    <table className={styles.groups}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{title}</span>
          </th>
          <th scope="col">Now</th>
          <th scope="col">30 days</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ name, now, average }) => (
          <tr key={name}>
            <th scope="row">
              <span className={styles.name}>{name}</span>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <path className={styles.bar} d={`M0 0H${(now / top) * 100}V6H0Z`} />
                <path className={styles.tick} d={`M${(average / top) * 100} 0V6`} />
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
function splitRuns(points: Online['points']): { first: number; values: number[] }[] {
  const runs: { first: number; values: number[] }[] = []
  points.forEach((value, nth) => {
    const last = runs.at(-1)
    if (value === null) return
    if (last !== undefined && last.first + last.values.length === nth) last.values.push(value)
    else runs.push({ first: nth, values: [value] })
  })
  return runs
}

/** Rounds up to a number with one significant digit whose half is whole, for the top of the chart. */
function roundUp(value: number): number {
  const unit = Math.max(2, 10 ** Math.floor(Math.log10(Math.max(value, 1))))
  return Math.max(1, Math.ceil(value / unit)) * unit
}
