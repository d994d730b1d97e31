import type { ReactNode } from 'react'
import styles from './server-info.module.css'

/** A piece of the drawing, at the origin, with its height. */
export type Piece = { height: number; draw: ReactNode }

/** The average width of a character in the text font, as a fraction of its size; slightly more than measured. */
const LETTER_WIDTH = 0.46
const NOTE_FONT = { size: 16, line: 21 }

/** Stacks pieces. */
export function stackPieces(gap: number, pieces: readonly Piece[]): Piece {
  let y = 0
  const draw = pieces.map((piece, index) => {
    const offset = y
    y += piece.height + gap
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
      <g key={index} transform={`translate(0 ${offset})`}>
        {piece.draw}
      </g>
    )
  })
  return { height: y - gap, draw }
}

/** Puts pieces next to each other. `widths` are the widths of the pieces. */
export function layOutColumns(gap: number, pieces: readonly Piece[], widths: readonly number[]): Piece {
  let x = 0
  const draw = pieces.map((piece, index) => {
    const offset = x
    x += (widths[index] ?? 0) + gap
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
      <g key={index} transform={`translate(${offset} 0)`}>
        {piece.draw}
      </g>
    )
  })
  return { height: Math.max(...pieces.map(({ height }) => height)), draw }
}

/** Lays out pieces in rows of `columns`, each `(width - gaps) / columns` wide. */
export function layOutGrid(
  width: number,
  columns: number,
  gap: number,
  pieces: readonly ((width: number) => Piece)[],
): Piece {
  const cellWidth = (width - (columns - 1) * gap) / columns
  const rows: Piece[] = []
  for (let start = 0; start < pieces.length; start += columns) {
    const row = pieces.slice(start, start + columns).map((layOut) => layOut(cellWidth))
    rows.push({
      height: Math.max(...row.map(({ height }) => height)),
      draw: row.map((piece, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
        <g key={column} transform={`translate(${column * (cellWidth + gap)} 0)`}>
          {piece.draw}
        </g>
      )),
    })
  }
  return stackPieces(gap, rows)
}

/** Draws a sentence in the text font, wrapped to a width. */
export function drawNote(text: string, width: number, className: string | undefined = styles.note): Piece {
  const lines = wrapText(text, Math.floor(width / (NOTE_FONT.size * LETTER_WIDTH)))
  return {
    height: lines.length * NOTE_FONT.line,
    draw: (
      <text className={className}>
        {lines.map((line, index) => (
          <tspan key={line} x="0" y={NOTE_FONT.size + index * NOTE_FONT.line}>
            {index < lines.length - 1 ? `${line} ` : line}
          </tspan>
        ))}
      </text>
    ),
  }
}

/** Draws one line in the display font. */
export function layOutText(text: string, size: number, className: string | undefined, line = size * 1.1): Piece {
  return {
    height: line,
    draw: (
      <text className={className} y={size * 0.82} style={{ fontSize: size }}>
        {text}
      </text>
    ),
  }
}

/** Draws a line across the sheet. */
export function drawRule(width: number): Piece {
  return { height: 2, draw: <path d={`M0 0H${width}v2H0Z`} fill="#c2baa4" /> }
}

/**
 * Wraps a sentence into lines of at most `maxLetters` characters, broken between words. A longer word gets a separate
 * line.
 */
function wrapText(sentence: string, maxLetters: number): string[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const lastLine = lines.at(-1)
    if (lastLine !== undefined && lastLine.length + 1 + word.length <= maxLetters)
      lines[lines.length - 1] = `${lastLine} ${word}`
    else lines.push(word)
  }
  return lines
}
