import { useId } from 'react'
import { formatCount } from '#contract/numbers.ts'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import styles from './small-chart.module.css'

type SmallChartProps = {
  /** The label of the chart: 'Registrations'. */
  title: string
  /** The values in order of time; null for days without data. */
  points: readonly { label: string; value: number | null }[]
  /** Formats a value; by default with thousands separators. */
  format?: (value: number) => string
  /** The number above the chart; by default the sum. */
  total?: string
  /** The address to which the number links. */
  to?: string
  /** The line below the chart, such as the count of the previous period. */
  note?: string
  /** Whether the last bar is yellow because it matters most. */
  marksLast?: boolean
}

const WIDTH = 300
const HEIGHT = 64
const GAP = 2

/** A small bar chart over time. The highest bar is as high as the chart. Screen readers get a table. */
export function SmallChart({
  points,
  format = formatCount,
  total,
  to,
  note,
  marksLast = true,
  ...props
}: SmallChartProps) {
  const id = useId()
  const title = useCurrencyText()(props.title)
  const highest = Math.max(1, ...points.map(({ value }) => value ?? 0))
  const width = (WIDTH + GAP) / Math.max(1, points.length)
  const totalText = total ?? format(points.reduce((subtotal, { value }) => subtotal + (value ?? 0), 0))
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id}>
        <span>{title}</span>
        {to === undefined ? <b>{totalText}</b> : <Link to={to}>{totalText}</Link>}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {points.map(({ label, value }, index) => {
          if (value === null) return null
          const height = value === 0 ? 1 : Math.max(2, (value / highest) * HEIGHT)
          return (
            <rect
              key={label}
              x={index * width}
              y={HEIGHT - height}
              width={width - GAP}
              height={height}
              data-last={(marksLast && index === points.length - 1) || undefined}
              data-zero={value === 0 || undefined}
            >
              <title>{`${label}: ${format(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <div className={styles.ends} aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </div>
      {note !== undefined && <p className={text.quiet}>{note}</p>}
      {/* A table cannot be smaller than its rows, so a hidden element around it hides it. */}
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <tbody>
            {points.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value === null ? '—' : format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
