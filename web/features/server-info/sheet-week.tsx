import { DAYS, WEEK, type WeekEntry } from './server-values.ts'
import styles from './sheet.module.css'
import { note, type Piece, stack, words } from './sheet-layout.tsx'

const INKS: Readonly<Record<WeekEntry['color'], string>> = { red: '#b4230f', blue: '#2b50e8', green: '#0a7f60' }
const ROW = 26
const LEFT = 44
const HOURS = [0, 6, 12, 18, 24] as const

/** The week as seven lines of twenty-four hours, and what the colours are. */
export function week(width: number): Piece {
  return stack(14, [
    words('The week', 32, styles.headline, 34),
    table(width),
    ...WEEK.map((entry) => key(entry, width)),
  ])
}

function table(width: number): Piece {
  const hour = (width - LEFT) / 24
  const at = (hours: number) => LEFT + hours * hour
  return {
    height: 24 + DAYS.length * ROW,
    draw: (
      <>
        {HOURS.map((hours) => (
          <text
            key={hours}
            className={styles.label}
            x={at(hours)}
            y="14"
            textAnchor={hours === 0 ? 'start' : hours === 24 ? 'end' : 'middle'}
          >
            {hours}:00
          </text>
        ))}
        {DAYS.map((day, index) => (
          <g key={day} transform={`translate(0 ${22 + index * ROW})`}>
            <text className={styles.strong} y="18">
              {day}
            </text>
            <path d={`M${LEFT} 2H${width}V${ROW - 3}H${LEFT}Z`} fill="#e3dcc8" />
          </g>
        ))}
        {WEEK.toReversed().map(({ name, color, spans }) => (
          <path
            key={name}
            fill={INKS[color]}
            d={spans
              .map(
                ({ day, from, to }) =>
                  `M${at(from).toFixed(1)} ${24 + day * ROW}H${at(to).toFixed(1)}V${22 + day * ROW + ROW - 3}H${at(from).toFixed(1)}Z`,
              )
              .join('')}
          />
        ))}
        <path
          d={HOURS.slice(1, -1)
            .map((hours) => `M${at(hours).toFixed(1)} 22v${DAYS.length * ROW}`)
            .join('')}
          stroke="#c2baa4"
        />
      </>
    ),
  }
}

function key({ name, value, note: more, color }: WeekEntry, width: number): Piece {
  const body = stack(0, [words(name, 22, styles.strong, 24), words(value, 20, styles.when, 24), note(more, width - 28)])
  return {
    height: body.height,
    draw: (
      <>
        <path d="M0 4h16v16H0Z" fill={INKS[color]} />
        <g transform="translate(28 0)">{body.draw}</g>
      </>
    ),
  }
}
