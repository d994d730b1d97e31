import { CHAT, type Fact, HELP, MONTH, NUMBERS, RATES, RULES } from './server-values.ts'
import styles from './sheet.module.css'
import { grid, note, type Piece, stack, words } from './sheet-layout.tsx'

const SCHOOLS = ['0', '1', '2'] as const

/** The head: logo, title, three crests, the thick rule. */
export function head(width: number): Piece {
  const wide = width > 500
  const size = wide ? 84 : 54
  return {
    height: wide ? 136 : 136,
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
          {wide && 'Posted at the guard house. '}All times are Manila time, GMT+08:00.
        </text>
        <path d={`M0 ${wide ? 124 : 128}H${width}v5H0Z`} fill="#0a0c13" />
      </>
    ),
  }
}

/** The three rates: ink plates with yellow numbers, as one reads a score board. */
export function rates(width: number, columns: number): Piece {
  return grid(
    width,
    columns,
    12,
    RATES.map((fact) => (cell) => ({
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

/** Halftone in the upper right corner of a plate. */
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

/** Six numbers in a ruled grid. */
export function numbers(width: number, columns: number): Piece {
  return grid(
    width,
    columns,
    16,
    NUMBERS.map((fact) => (cell) => factPiece(fact, cell)),
  )
}

function factPiece({ name, value, note: more }: Fact, width: number): Piece {
  const body = stack(2, [words(name, 19, styles.label), words(value, 46, styles.value, 46), note(more, width)])
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

/** A headline of a part of the sheet. */
export function headline(text: string): Piece {
  return words(text, 32, styles.headline, 36)
}

/** The month's change: a torn-off calendar leaf beside the hour, and what it means. */
export function month(width: number): Piece {
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
          {MONTH.value}
        </text>
        <text className={styles.label} x="108" y="88">
          Manila time
        </text>
      </>
    ),
  }
  return stack(8, [headline(MONTH.name), leaf, note(MONTH.note, width)])
}

/** What talking costs. */
export function chat(width: number): Piece {
  return stack(10, [
    headline('Chat'),
    ...CHAT.map(({ name, value }) => stack(0, [words(name, 24, styles.strong, 26), note(value, width)])),
  ])
}

/** The rules, numbered, each with what it means. */
export function rules(width: number, columns: number): Piece {
  return stack(10, [
    headline('Fair play'),
    grid(
      width,
      columns,
      18,
      RULES.map(({ title, text }, index) => (cell) => {
        const body = stack(0, [words(title, 24, styles.strong, 26), note(text, cell - 40)])
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

/** Whitelist, vouchers, support. */
export function help(width: number, columns: number): Piece {
  return grid(
    width,
    columns,
    20,
    HELP.map(
      ({ name, text }) =>
        (cell) =>
          stack(2, [words(name, 28, styles.headline, 30), note(text, cell)]),
    ),
  )
}
