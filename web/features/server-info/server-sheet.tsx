import type { DocumentOf } from '#contract/documents.ts'
import layout from '#web/ui/layout.module.css'
import styles from './server-info.module.css'
import { columns, grid, layOutText, note, type Piece, rule, stack } from './sheet-layout.tsx'

type ServerInfo = DocumentOf<'server-info'>
type Fact = ServerInfo['rates'][number]
type WeekEntry = ServerInfo['week'][number]

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const WIDE = { width: 800, margin: 44 }
const NARROW = { width: 328, margin: 20 }

/** The sheet's content, and whether it describes the demo world. */
type Described = { info: ServerInfo; demo: boolean }

/**
 * The server information sheet (GUIDE-5, GUIDE-6): a notice on paper, in one drawing for wide screens and one for
 * phones.
 */
export function ServerSheet({ info, demo }: Described) {
  return (
    <div>
      <Sheet
        {...WIDE}
        className={`${layout.fluid} ${layout.wideOnly}`}
        arrange={(width) => arrangeWide(width, { info, demo })}
      />
      <Sheet
        {...NARROW}
        className={`${layout.fluid} ${layout.narrowOnly}`}
        arrange={(width) => arrangeNarrow(width, { info, demo })}
      />
    </div>
  )
}

function arrangeWide(width: number, { info, demo }: Described): Piece {
  const side = written(info.month_value !== '' && month(info, 256), info.chat.length > 0 && chat(info, 256))
  const times =
    info.week.length === 0
      ? side
      : [columns(40, [week(info, 416), ...(side.length > 0 ? [stack(30, side)] : [])], [416, 256])]
  return stack(30, [
    head(info, width),
    ...written(info.rates.length > 0 && rates(info, width, 3), info.numbers.length > 0 && numbers(info, width, 6)),
    ...times,
    ...written(
      info.rules.length > 0 && rule(width),
      info.rules.length > 0 && rules(info, width, 3),
      info.help.length > 0 && rule(width),
      info.help.length > 0 && help(info, width, 3),
    ),
    foot({ info, demo }, width),
  ])
}

function arrangeNarrow(width: number, { info, demo }: Described): Piece {
  const parts = written(
    info.week.length > 0 && week(info, width),
    info.month_value !== '' && month(info, width),
    info.chat.length > 0 && chat(info, width),
    info.rules.length > 0 && rules(info, width, 1),
    info.help.length > 0 && help(info, width, 1),
  )
  return stack(26, [
    head(info, width),
    ...written(info.rates.length > 0 && rates(info, width, 1), info.numbers.length > 0 && numbers(info, width, 2)),
    ...parts.flatMap((part, nth) => (nth === 0 ? [part] : [rule(width), part])),
    foot({ info, demo }, width),
  ])
}

/** Returns the parts of the sheet that have a text. */
const written = (...parts: readonly (Piece | false)[]): Piece[] => parts.filter((part) => part !== false)

type SheetProps = { width: number; margin: number; className: string | undefined; arrange: (width: number) => Piece }

function Sheet({ width, margin, className, arrange }: SheetProps) {
  const { height, draw } = arrange(width - 2 * margin)
  const full = Math.ceil(height + 2 * margin + 24)
  return (
    <svg
      data-poster
      className={className}
      viewBox={`0 0 ${width} ${full}`}
      role="img"
      aria-label="Server information sheet; the same is below it in words"
    >
      <path d={`M0 0H${width - 28}L${width} 28V${full}H0Z`} fill="#f5f1e6" />
      <path d={`M${width - 28} 0V28H${width}Z`} fill="#c2baa4" />
      <circle cx={width / 2} cy="24" r="9" fill="#0a0c13" />
      <circle cx={width / 2} cy="24" r="5" fill="#b4230f" />
      <g transform={`translate(${margin} ${margin + 12})`}>{draw}</g>
    </svg>
  )
}

const SCHOOLS = ['0', '1', '2'] as const

/** Draws the title, three crests and a thick rule. */
function head({ posted }: ServerInfo, width: number): Piece {
  const wide = width > 500
  const size = wide ? 84 : 54
  return {
    height: 136,
    draw: (
      <>
        <text className={styles.title} y={size * 0.78} style={{ fontSize: size }}>
          {wide ? 'Server Information' : 'Server'}
          {!wide && (
            <tspan x="0" dy="48">
              Information
            </tspan>
          )}
        </text>
        {SCHOOLS.map((school, index) => (
          <use
            key={school}
            href={`#crest-${school}`}
            x={width - (wide ? 62 : 34) * (3 - index) + 10}
            y={wide ? 2 : 4}
            width={wide ? 52 : 26}
            height={wide ? 62 : 31}
          />
        ))}
        <text className={styles.label} x="0" y={wide ? 104 : 112} style={{ fontSize: 18 }}>
          {wide && posted !== '' && `${posted} `}All times are Manila time, GMT+08:00.
        </text>
        <path d={`M0 ${wide ? 124 : 128}H${width}v5H0Z`} fill="#0a0c13" />
      </>
    ),
  }
}

/** Draws the three rates like a scoreboard: ink plates with yellow numbers. */
function rates({ rates: facts }: ServerInfo, width: number, columns: number): Piece {
  return grid(
    width,
    columns,
    12,
    facts.map((fact) => (cell) => ({
      height: 132,
      draw: (
        <>
          <path d={`M0 0H${cell - 14}L${cell} 14V132H0Z`} fill="#0a0c13" />
          <path d={dots(cell)} fill="#2239a8" />
          <text className={styles.rate} x="14" y="76">
            {fact.value}
          </text>
          <text className={styles.rateName} x={cell - 14} y="34">
            {fact.name}
          </text>
          <g transform="translate(14 84)">{note(fact.note, cell - 20, styles.onInk).draw}</g>
        </>
      ),
    })),
  )
}

/** Returns the path of a halftone in the upper right corner of a plate. */
function dots(width: number): string {
  let path = ''
  for (let row = 0; row < 7; row++)
    for (let column = 0; column < 9; column++) {
      const r = 4.6 - 0.45 * (row + column)
      if (r < 0.8) continue
      const x = width - 14 - column * 12 - (row % 2) * 6
      const y = 48 + row * 6
      path += `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
    }
  return path
}

/** Draws six numbers in a ruled grid. */
function numbers({ numbers: facts }: ServerInfo, width: number, columns: number): Piece {
  return grid(
    width,
    columns,
    16,
    facts.map((fact) => (cell) => factPiece(fact, cell)),
  )
}

function factPiece({ name, value, note: more }: Fact, width: number): Piece {
  const body = stack(2, [
    layOutText(name, 19, styles.label),
    layOutText(value, 46, styles.value, 46),
    note(more, width),
  ])
  return {
    height: body.height + 12,
    draw: (
      <>
        <path d={`M0 0H${width}v2H0Z`} fill="#0a0c13" />
        <g transform="translate(0 10)">{body.draw}</g>
      </>
    ),
  }
}

/** Draws the heading of a part of the sheet. */
function headline(text: string): Piece {
  return layOutText(text, 32, styles.headline, 36)
}

const INKS: Readonly<Record<WeekEntry['color'], string>> = { red: '#b4230f', blue: '#2b50e8', green: '#0a7f60' }
const ROW = 26
const LEFT = 44
const HOURS = [0, 6, 12, 18, 24] as const

/** Draws the week as seven lines of twenty-four hours, with a legend of the colors. */
function week({ week: entries }: ServerInfo, width: number): Piece {
  return stack(14, [
    layOutText('The week', 32, styles.headline, 34),
    table(entries, width),
    ...entries.map((entry) => key(entry, width)),
  ])
}

function table(entries: readonly WeekEntry[], width: number): Piece {
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
        {entries.toReversed().map(({ name, color, spans }) => (
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
  const body = stack(0, [
    layOutText(name, 22, styles.strong, 24),
    layOutText(value, 20, styles.time, 24),
    note(more, width - 28),
  ])
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

/** Draws the first of the month: a calendar leaf, the hour, and the restarted rankings. */
function month({ month_name: name, month_value: value, month_note: more }: ServerInfo, width: number): Piece {
  const leaf: Piece = {
    height: 104,
    draw: (
      <>
        <path d="M2 8H90V100H2Z" fill="#fff" stroke="#0a0c13" strokeWidth="3" />
        <path d="M2 8H90V32H2Z" fill="#b4230f" />
        <path d="M22 0v16M70 0v16" stroke="#0a0c13" strokeWidth="5" />
        <text className={styles.leaf} x="46" y="88">
          1
        </text>
        <text className={styles.value} x="108" y="62" style={{ fontSize: 38 }}>
          {value}
        </text>
        <text className={styles.label} x="108" y="88">
          Manila time
        </text>
      </>
    ),
  }
  return stack(8, [headline(name), leaf, note(more, width)])
}

/** Draws the costs of chat. */
function chat({ chat: costs }: ServerInfo, width: number): Piece {
  return stack(10, [
    headline('Chat'),
    ...costs.map(({ name, value }) => stack(0, [layOutText(name, 24, styles.strong, 26), note(value, width)])),
  ])
}

/** Draws the numbered rules with their meanings. */
function rules({ rules: lines }: ServerInfo, width: number, columns: number): Piece {
  return stack(10, [
    headline('Fair play'),
    grid(
      width,
      columns,
      18,
      lines.map(({ title, text }, index) => (cell) => {
        const body = stack(0, [layOutText(title, 24, styles.strong, 26), note(text, cell - 40)])
        return {
          height: Math.max(body.height, 30),
          draw: (
            <>
              <path d="M0 0H28V28H0Z" fill="#0a0c13" />
              <text className={styles.ordinal} x="14" y="22">
                {index + 1}
              </text>
              <g transform="translate(40 0)">{body.draw}</g>
            </>
          ),
        }
      }),
    ),
  ])
}

/** Draws whitelist, vouchers and support. */
function help({ help: topics }: ServerInfo, width: number, columns: number): Piece {
  return grid(
    width,
    columns,
    20,
    topics.map(
      ({ name, text }) =>
        (cell) =>
          stack(2, [layOutText(name, 28, styles.headline, 30), note(text, cell)]),
    ),
  )
}

/** Draws the source of the values, and a stamp. */
function foot({ info, demo }: Described, width: number): Piece {
  const wide = width > 500
  const intro = note(info.intro, wide ? width - 260 : width, styles.note)
  return {
    height: wide ? 64 : 120,
    draw: (
      <>
        <g transform="translate(0 20)">{intro.draw}</g>
        <g
          transform={wide ? `translate(${width - 118} 32) rotate(-6)` : 'translate(150 88) rotate(-5)'}
          visibility={demo ? undefined : 'hidden'}
        >
          <path d="M-108-26H108V26H-108Z" fill="none" stroke="#b4230f" strokeWidth="4" />
          <path d="M-102-20H102V20H-102Z" fill="none" stroke="#b4230f" strokeWidth="1.5" />
          <text className={styles.stamp} y="11">
            DEMO SERVER
          </text>
        </g>
      </>
    ),
  }
}
