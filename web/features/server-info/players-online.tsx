import { useId } from 'react'
import { clockParts } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { getPlayersOnline, ONLINE_POINTS, ONLINE_STEP_MS, type Online } from '#contract/players-online.ts'
import { useCall } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './players-online.module.css'

const REFRESH_MS = 60_000
const WIDTH = 4
const HEIGHT = 100
/** A label below the chart for each quarter of the day. */
const LABEL_EVERY = ONLINE_POINTS / 4

const timeOf = (moment: number) => clockParts(moment).minutes

/** How many play now, and the last 24 hours. Without a bridge to the game there is nothing to show. */
export function PlayersOnline() {
  const id = useId()
  const { data } = useCall(getPlayersOnline, {}, { refetchInterval: REFRESH_MS })
  const online = data?.online ?? null
  if (online === null) return null
  const { date, minutes } = clockParts(Date.parse(online.counted_at))
  return (
    <Panel title="Players online">
      <div className={styles.parts}>
        <p className={styles.now}>
          <b>{formatCount(online.players)}</b>{' '}
          {online.old ? (
            <span>
              at <time dateTime={online.counted_at}>{`${minutes}, ${date}`}</time>. We have had no newer count since.
            </span>
          ) : (
            <span>in the game now</span>
          )}
        </p>
        <figure aria-labelledby={id} className={styles.day}>
          <figcaption id={id}>The last 24 hours, Manila time. Peak: {formatCount(online.most)} at once.</figcaption>
          <Day {...online} />
        </figure>
      </div>
    </Panel>
  )
}

function Day({ from, points, most }: Online) {
  const start = Date.parse(from)
  const top = roundUp(most)
  const height = (value: number) => HEIGHT - (value / top) * HEIGHT
  const labels = points.flatMap((_, nth) => (nth % LABEL_EVERY === 0 ? [timeOf(start + nth * ONLINE_STEP_MS)] : []))
  return (
    <>
      <div className={styles.chart} aria-hidden="true">
        <svg viewBox={`0 0 ${points.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path
            className={styles.grid}
            d={[0, HEIGHT / 2, HEIGHT].map((y) => `M0 ${y}h${points.length * WIDTH}`).join('')}
          />
          {runsOf(points).map(({ first, values }) => {
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
        <span>{formatCount(top)}</span>
        <span>{formatCount(top / 2)}</span>
      </div>
      <div className={styles.hours} aria-hidden="true">
        {labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
        <span>now</span>
      </div>
      {/* A table grows with its rows, so the box around it is what hides it. */}
      <div className="visually-hidden">
        <table>
          <caption>Players online in each half hour</caption>
          <tbody>
            {points.map((value, nth) => {
              const time = timeOf(start + nth * ONLINE_STEP_MS)
              return (
                <tr key={time}>
                  <th scope="row">{time}</th>
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

/** Points in a row that were counted, each row with the place of its first one. */
function runsOf(points: Online['points']): { first: number; values: number[] }[] {
  const runs: { first: number; values: number[] }[] = []
  points.forEach((value, nth) => {
    const last = runs.at(-1)
    if (value === null) return
    if (last !== undefined && last.first + last.values.length === nth) last.values.push(value)
    else runs.push({ first: nth, values: [value] })
  })
  return runs
}

/** The next number with one digit and zeros, which has a whole half: the top of the chart. */
function roundUp(value: number): number {
  const unit = Math.max(2, 10 ** Math.floor(Math.log10(Math.max(value, 1))))
  return Math.max(1, Math.ceil(value / unit)) * unit
}
