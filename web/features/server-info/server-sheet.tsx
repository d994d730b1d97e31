import type { DocumentContent } from '#contract/documents.ts'
import layout from '#web/ui/layout.module.css'
import styles from './server-info.module.css'
import { drawNote, drawRule, layOutColumns, layOutGrid, layOutText, type Piece, stackPieces } from './sheet-layout.tsx'

type ServerInfo = DocumentContent<'server-info'>
type Fact = ServerInfo['rates'][number]
type WeekEntry = ServerInfo['week'][number]

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const WIDE_SHEET = { width: 800, margin: 44 }
const NARROW_SHEET = { width: 328, margin: 20 }

/** The sheet's content, and whether it describes the demo world. */
type SheetContent = { info: ServerInfo; demo: boolean }

/**
 * The server information sheet (GUIDE-5, GUIDE-6): a notice on paper, in one drawing for wide screens and one for
 * phones.
 */
export function ServerSheet({ info, demo }: SheetContent) {
  return (
    <div>
      <Sheet
        {...WIDE_SHEET}
        className={`${layout.fluid} ${layout.wideOnly}`}
        layOut={(width) => layOutWideSheet(width, { info, demo })}
      />
      <Sheet
        {...NARROW_SHEET}
        className={`${layout.fluid} ${layout.narrowOnly}`}
        layOut={(width) => layOutNarrowSheet(width, { info, demo })}
      />
    </div>
  )
}

function layOutWideSheet(width: number, { info, demo }: SheetContent): Piece {
  const sidePieces = filterPieces(
    info.month_value !== '' && drawMonth(info, 256),
    info.chat.length > 0 && drawChat(info, 256),
  )
  const timePieces =
    info.week.length === 0
      ? sidePieces
      : [
          layOutColumns(
            40,
            [drawWeek(info, 416), ...(sidePieces.length > 0 ? [stackPieces(30, sidePieces)] : [])],
            [416, 256],
          ),
        ]
  return stackPieces(30, [
    drawHead(info, width),
    ...filterPieces(
      info.rates.length > 0 && drawRates(info, width, 3),
      info.numbers.length > 0 && drawNumbers(info, width, 6),
    ),
    ...timePieces,
    ...filterPieces(
      info.rules.length > 0 && drawRule(width),
      info.rules.length > 0 && drawRules(info, width, 3),
      info.help.length > 0 && drawRule(width),
      info.help.length > 0 && drawHelp(info, width, 3),
    ),
    drawFoot({ info, demo }, width),
  ])
}

function layOutNarrowSheet(width: number, { info, demo }: SheetContent): Piece {
  const pieces = filterPieces(
    info.week.length > 0 && drawWeek(info, width),
    info.month_value !== '' && drawMonth(info, width),
    info.chat.length > 0 && drawChat(info, width),
    info.rules.length > 0 && drawRules(info, width, 1),
    info.help.length > 0 && drawHelp(info, width, 1),
  )
  return stackPieces(26, [
    drawHead(info, width),
    ...filterPieces(
      info.rates.length > 0 && drawRates(info, width, 1),
      info.numbers.length > 0 && drawNumbers(info, width, 2),
    ),
    ...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [drawRule(width), piece])),
    drawFoot({ info, demo }, width),
  ])
}

/** Returns the pieces of the sheet that have a text. */
const filterPieces = (...pieces: readonly (Piece | false)[]): Piece[] => pieces.filter((piece) => piece !== false)

type SheetProps = { width: number; margin: number; className: string | undefined; layOut: (width: number) => Piece }

function Sheet({ width, margin, className, layOut }: SheetProps) {
  const { height, draw } = layOut(width - 2 * margin)
  const fullHeight = Math.ceil(height + 2 * margin + 24)
  return (
    <svg
      data-poster
      className={className}
      viewBox={`0 0 ${width} ${fullHeight}`}
      role="img"
      aria-label="Server information sheet; its text is below it"
    >
      <path d={`M0 0H${width - 28}L${width} 28V${fullHeight}H0Z`} fill="#f5f1e6" />
      <path d={`M${width - 28} 0V28H${width}Z`} fill="#c2baa4" />
      <circle cx={width / 2} cy="24" r="9" fill="#0a0c13" />
      <circle cx={width / 2} cy="24" r="5" fill="#b4230f" />
      <g transform={`translate(${margin} ${margin + 12})`}>{draw}</g>
    </svg>
  )
}

const SCHOOLS = ['0', '1', '2'] as const

/** Draws the title, three crests and a thick rule. */
function drawHead({ posted }: ServerInfo, width: number): Piece {
  const isWide = width > 500
  const size = isWide ? 84 : 54
  return {
    height: 136,
    draw: (
      <>
        <text className={styles.title} y={size * 0.78} style={{ fontSize: size }}>
          {isWide ? 'Server Information' : 'Server'}
          {!isWide && (
            <tspan x="0" dy="48">
              Information
            </tspan>
          )}
        </text>
        {SCHOOLS.map((school, index) => (
          <use
            key={school}
            href={`#crest-${school}`}
            x={width - (isWide ? 62 : 34) * (3 - index) + 10}
            y={isWide ? 2 : 4}
            width={isWide ? 52 : 26}
            height={isWide ? 62 : 31}
          />
        ))}
        <text className={styles.label} x="0" y={isWide ? 104 : 112} style={{ fontSize: 18 }}>
          {isWide && posted !== '' && `${posted} `}All times are Manila time, GMT+08:00.
        </text>
        <path d={`M0 ${isWide ? 124 : 128}H${width}v5H0Z`} fill="#0a0c13" />
      </>
    ),
  }
}

/** Draws the rates like a scoreboard: ink plates with yellow numbers. */
function drawRates({ rates: facts }: ServerInfo, width: number, columns: number): Piece {
  return layOutGrid(
    width,
    columns,
    12,
    facts.map((fact) => (cellWidth) => ({
      height: 132,
      draw: (
        <>
          <path d={`M0 0H${cellWidth - 14}L${cellWidth} 14V132H0Z`} fill="#0a0c13" />
          <path d={drawDots(cellWidth)} fill="#2239a8" />
          <text className={styles.rate} x="14" y="76">
            {fact.value}
          </text>
          <text className={styles.rateName} x={cellWidth - 14} y="34">
            {fact.name}
          </text>
          <g transform="translate(14 84)">{drawNote(fact.note, cellWidth - 20, styles.onInk).draw}</g>
        </>
      ),
    })),
  )
}

/** Returns the path of a halftone in the upper right corner of a plate. */
function drawDots(width: number): string {
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

/** Draws the numbers in a ruled grid. */
function drawNumbers({ numbers: facts }: ServerInfo, width: number, columns: number): Piece {
  return layOutGrid(
    width,
    columns,
    16,
    facts.map((fact) => (cellWidth) => drawFact(fact, cellWidth)),
  )
}

function drawFact({ name, value, note: noteText }: Fact, width: number): Piece {
  const body = stackPieces(2, [
    layOutText(name, 19, styles.label),
    layOutText(value, 46, styles.value, 46),
    drawNote(noteText, width),
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
function drawHeadline(text: string): Piece {
  return layOutText(text, 32, styles.headline, 36)
}

const COLORS: Readonly<Record<WeekEntry['color'], string>> = { red: '#b4230f', blue: '#2b50e8', green: '#0a7f60' }
const ROW_HEIGHT = 26
const LABEL_WIDTH = 44
const HOUR_MARKS = [0, 6, 12, 18, 24] as const

/** Draws the week as seven lines of twenty-four hours, with a legend of the colors. */
function drawWeek({ week: entries }: ServerInfo, width: number): Piece {
  return stackPieces(14, [
    layOutText('The week', 32, styles.headline, 34),
    drawWeekTable(entries, width),
    ...entries.map((entry) => drawLegendEntry(entry, width)),
  ])
}

function drawWeekTable(entries: readonly WeekEntry[], width: number): Piece {
  const hourWidth = (width - LABEL_WIDTH) / 24
  const toX = (hours: number) => LABEL_WIDTH + hours * hourWidth
  return {
    height: 24 + DAYS.length * ROW_HEIGHT,
    draw: (
      <>
        {HOUR_MARKS.map((hours) => (
          <text
            key={hours}
            className={styles.label}
            x={toX(hours)}
            y="14"
            textAnchor={hours === 0 ? 'start' : hours === 24 ? 'end' : 'middle'}
          >
            {hours}:00
          </text>
        ))}
        {DAYS.map((day, index) => (
          <g key={day} transform={`translate(0 ${22 + index * ROW_HEIGHT})`}>
            <text className={styles.strong} y="18">
              {day}
            </text>
            <path d={`M${LABEL_WIDTH} 2H${width}V${ROW_HEIGHT - 3}H${LABEL_WIDTH}Z`} fill="#e3dcc8" />
          </g>
        ))}
        {entries.toReversed().map(({ name, color, spans }) => (
          <path
            key={name}
            fill={COLORS[color]}
            d={spans
              .map(
                ({ day, from, to }) =>
                  `M${toX(from).toFixed(1)} ${24 + day * ROW_HEIGHT}H${toX(to).toFixed(1)}V${22 + day * ROW_HEIGHT + ROW_HEIGHT - 3}H${toX(from).toFixed(1)}Z`,
              )
              .join('')}
          />
        ))}
        <path
          d={HOUR_MARKS.slice(1, -1)
            .map((hours) => `M${toX(hours).toFixed(1)} 22v${DAYS.length * ROW_HEIGHT}`)
            .join('')}
          stroke="#c2baa4"
        />
      </>
    ),
  }
}

function drawLegendEntry({ name, value, note: noteText, color }: WeekEntry, width: number): Piece {
  const body = stackPieces(0, [
    layOutText(name, 22, styles.strong, 24),
    layOutText(value, 20, styles.time, 24),
    drawNote(noteText, width - 28),
  ])
  return {
    height: body.height,
    draw: (
      <>
        <path d="M0 4h16v16H0Z" fill={COLORS[color]} />
        <g transform="translate(28 0)">{body.draw}</g>
      </>
    ),
  }
}

/** Draws the first of the month: a calendar leaf, the time, and a note. */
function drawMonth({ month_name: name, month_value: value, month_note: noteText }: ServerInfo, width: number): Piece {
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
  return stackPieces(8, [drawHeadline(name), leaf, drawNote(noteText, width)])
}

/** Draws the costs of chat. */
function drawChat({ chat: costs }: ServerInfo, width: number): Piece {
  return stackPieces(10, [
    drawHeadline('Chat'),
    ...costs.map(({ name, value }) =>
      stackPieces(0, [layOutText(name, 24, styles.strong, 26), drawNote(value, width)]),
    ),
  ])
}

/** Draws the numbered rules with their meanings. */
function drawRules({ rules: lines }: ServerInfo, width: number, columns: number): Piece {
  return stackPieces(10, [
    drawHeadline('Fair play'),
    layOutGrid(
      width,
      columns,
      18,
      lines.map(({ title, text }, index) => (cellWidth) => {
        const body = stackPieces(0, [layOutText(title, 24, styles.strong, 26), drawNote(text, cellWidth - 40)])
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

/** Draws the topics of the help. */
function drawHelp({ help: topics }: ServerInfo, width: number, columns: number): Piece {
  return layOutGrid(
    width,
    columns,
    20,
    topics.map(
      ({ name, text }) =>
        (cellWidth) =>
          stackPieces(2, [layOutText(name, 28, styles.headline, 30), drawNote(text, cellWidth)]),
    ),
  )
}

/** Draws the introduction, and a stamp on a demo server. */
function drawFoot({ info, demo }: SheetContent, width: number): Piece {
  const isWide = width > 500
  const intro = drawNote(info.intro, isWide ? width - 260 : width, styles.note)
  return {
    height: isWide ? 64 : 120,
    draw: (
      <>
        <g transform="translate(0 20)">{intro.draw}</g>
        <g
          transform={isWide ? `translate(${width - 118} 32) rotate(-6)` : 'translate(150 88) rotate(-5)'}
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
