import { DEMO_NOTE } from './server-values.ts'
import styles from './sheet.module.css'
import { note, type Piece, stack } from './sheet-layout.tsx'
import { chat, head, help, month, numbers, rates, rules } from './sheet-pieces.tsx'
import { week } from './sheet-week.tsx'

const WIDE = { width: 800, margin: 44 }
const NARROW = { width: 328, margin: 20 }

/** The server information sheet: a notice on paper, drawn once for wide screens and once for phones. */
export function ServerSheet() {
  return (
    <div className={styles.sheet}>
      <Sheet {...WIDE} className={styles.wide} arrange={arrangeWide} />
      <Sheet {...NARROW} className={styles.narrow} arrange={arrangeNarrow} />
    </div>
  )
}

function arrangeWide(width: number): Piece {
  return stack(30, [
    head(width),
    rates(width, 3),
    numbers(width, 6),
    columns(40, [week(416), stack(30, [month(256), chat(256)])], [416, 256]),
    rule(width),
    rules(width, 3),
    rule(width),
    help(width, 3),
    foot(width),
  ])
}

function arrangeNarrow(width: number): Piece {
  return stack(26, [
    head(width),
    rates(width, 1),
    numbers(width, 2),
    week(width),
    rule(width),
    month(width),
    rule(width),
    chat(width),
    rule(width),
    rules(width, 1),
    rule(width),
    help(width, 1),
    foot(width),
  ])
}

/** Pieces beside each other, each as wide as told. */
function columns(gap: number, pieces: readonly Piece[], widths: readonly number[]): Piece {
  let x = 0
  const draw = pieces.map((piece, index) => {
    const at = x
    x += (widths[index] ?? 0) + gap
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
      <g key={index} transform={`translate(${at} 0)`}>
        {piece.draw}
      </g>
    )
  })
  return { height: Math.max(...pieces.map(({ height }) => height)), draw }
}

function rule(width: number): Piece {
  return { height: 2, draw: <path d={`M0 0H${width}v2H0Z`} fill="#c2baa4" /> }
}

/** Whose values these are, under a stamp. */
function foot(width: number): Piece {
  const wide = width > 500
  const words = note(DEMO_NOTE, wide ? width - 260 : width, styles.note)
  return {
    height: wide ? 64 : 120,
    draw: (
      <>
        <g transform="translate(0 20)">{words.draw}</g>
        <g transform={wide ? `translate(${width - 118} 32) rotate(-6)` : 'translate(150 88) rotate(-5)'}>
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

type SheetProps = { width: number; margin: number; className: string | undefined; arrange: (width: number) => Piece }

function Sheet({ width, margin, className, arrange }: SheetProps) {
  const { height, draw } = arrange(width - 2 * margin)
  const full = Math.ceil(height + 2 * margin + 24)
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${full}`}
      role="img"
      aria-label="Server information sheet; the same stands below it in words"
    >
      <path d={`M0 0H${width - 28}L${width} 28V${full}H0Z`} fill="#f5f1e6" />
      <path d={`M${width - 28} 0V28H${width}Z`} fill="#c2baa4" />
      <circle cx={width / 2} cy="24" r="9" fill="#0a0c13" />
      <circle cx={width / 2} cy="24" r="5" fill="#b4230f" />
      <g transform={`translate(${margin} ${margin + 12})`}>{draw}</g>
    </svg>
  )
}
