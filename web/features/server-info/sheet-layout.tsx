import type { ReactNode } from 'react'
import styles from './server-info.module.css'

/** A piece of the drawing, at the origin, with its height. */
export type Piece = { height: number; draw: ReactNode }

/** The average width of a character in the text font, as a fraction of its size; slightly more than measured. */
const LETTER = 0.46
const NOTE = { size: 16, line: 21 }

/** Stacks pieces. */
export function stack(gap: number, pieces: readonly Piece[]): Piece {
  let y = 0
  const draw = pieces.map((piece, index) => {
    const at = y
    y += piece.height + gap
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
      <g key={index} transform={`translate(0 ${at})`}>
        {piece.draw}
      </g>
    )
  })
  return { height: y - gap, draw }
}

/** Puts pieces next to each other. `widths` are the widths of the pieces. */
export function columns(gap: number, pieces: readonly Piece[], widths: readonly number[]): Piece {
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

/** Lays out pieces in rows of `columns`, each `(width - gaps) / columns` wide. */
export function grid(
  width: number,
  columns: number,
  gap: number,
  pieces: readonly ((width: number) => Piece)[],
): Piece {
  const cell = (width - (columns - 1) * gap) / columns
  const rows: Piece[] = []
  for (let first = 0; first < pieces.length; first += columns) {
    const row = pieces.slice(first, first + columns).map((make) => make(cell))
    rows.push({
      height: Math.max(...row.map(({ height }) => height)),
      draw: row.map((piece, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
        <g key={column} transform={`translate(${column * (cell + gap)} 0)`}>
          {piece.draw}
        </g>
      )),
    })
  }
  return stack(gap, rows)
}

/** Draws a sentence in the text font, wrapped to a width. */
export function note(text: string, width: number, look: string | undefined = styles.note): Piece {
  const lines = wrapText(text, Math.floor(width / (NOTE.size * LETTER)))
  return {
    height: lines.length * NOTE.line,
    draw: (
      <text className={look}>
        {lines.map((line, index) => (
          <tspan key={line} x="0" y={NOTE.size + index * NOTE.line}>
            {index < lines.length - 1 ? `${line} ` : line}
          </tspan>
        ))}
      </text>
    ),
  }
}

/** Draws one line in the display font. */
export function layOutText(text: string, size: number, look: string | undefined, line = size * 1.1): Piece {
  return {
    height: line,
    draw: (
      <text className={look} y={size * 0.82} style={{ fontSize: size }}>
        {text}
      </text>
    ),
  }
}

/** Draws a line across the sheet. */
export function rule(width: number): Piece {
  return { height: 2, draw: <path d={`M0 0H${width}v2H0Z`} fill="#c2baa4" /> }
}

/**
 * Wraps a sentence into lines of at most `maxLetters` characters, broken between words. A longer word gets a separate
 * line.
 */
function wrapText(sentence: string, letters: number): string[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
