import Papa from 'papaparse'

/** Matches text that a spreadsheet would run as a formula, also in full width and after invisible characters. */
const FORMULA_PATTERN = /^[\p{Z}\p{C}]*[=+\-@＝＋－＠\t\r]/u

/** Writes a CSV file for spreadsheets. Puts an apostrophe before a text that they would run as a formula. */
export const writeCsv = (fields: string[], rows: unknown[][]): string =>
  `\uFEFF${Papa.unparse({ fields, data: rows }, { escapeFormulae: FORMULA_PATTERN })}`

/** Removes the spaces around a cell, and the apostrophe that `writeCsv` puts before a formula. */
export function readCell(cell: string): string {
  const text = cell.trim()
  return text.startsWith("'") && FORMULA_PATTERN.test(text.slice(1)) ? text.slice(1) : text
}

const normalizeLines = (text: string) => text.replace(/\r\n?/g, '\n')

/** Returns whether a cell is unchanged since `writeCsv` wrote a text. */
export function isUnchangedCell(cell: string, text: string): boolean {
  const writtenText = normalizeLines(text).trim()
  return cell === writtenText || cell === readCell(writtenText)
}

/** Encodings by the bytes that a file begins with. The UTF-8 and UTF-16 decoders skip these bytes. */
const BYTE_ORDER_MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

const decode = (bytes: Uint8Array, encoding: string) => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns the text of a file in UTF-8, UTF-16 with a byte order mark, or windows-1252 (DESK-35); null in another encoding. */
function decodeText(bytes: Uint8Array): string | null {
  const byteOrderMark = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))
  const text =
    byteOrderMark === undefined
      ? (decode(bytes, 'utf-8') ?? decode(bytes, 'windows-1252'))
      : decode(bytes, byteOrderMark.encoding)
  // Windows-1252 defines no character for five bytes. A NUL means UTF-16 without its mark, or a file that is no text.
  return text === null || /[\0\u0081\u008d\u008f\u0090\u009d]/.test(text) ? null : text
}

/** The line that gives Excel the separator of the cells. */
const SEPARATOR_LINE_PATTERN = /^"?sep=(.)"?[^\S\n]*\n/i

/** Returns the separator that the first line with text has most often. */
function findSeparator(text: string): string {
  const firstLine = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: firstLine.split(separator).length }))
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).separator
}

/** A row of a file. Its line is the row number in a spreadsheet. */
export type CsvRow = { line: number; cells: string[] }

/**
 * Reads a CSV file as spreadsheets save it: UTF-8, UTF-16 or windows-1252, separated by commas, semicolons or tabs, with or
 * without a `sep=` line. Empty rows are left out.
 *
 * @returns the text and its rows, or the problem that makes the file unreadable
 */
export function readCsv(bytes: Uint8Array): { text: string; rows: CsvRow[] } | { line: number; problem: string } {
  const fileText = decodeText(bytes)
  if (fileText === null)
    return { line: 1, problem: 'The encoding of this file is unknown. Save it as “CSV UTF-8” and choose it again.' }
  const text = normalizeLines(fileText)
  const separator = SEPARATOR_LINE_PATTERN.exec(text)
  const body = separator === null ? text : text.slice(separator[0].length)
  const { data, errors } = Papa.parse<string[]>(body, {
    delimiter: separator?.[1] ?? findSeparator(body),
    newline: '\n',
  })
  const quoteError = errors.find(({ type }) => type === 'Quotes')
  if (quoteError !== undefined) return { line: (quoteError.row ?? 0) + 1, problem: 'A quotation mark is not closed.' }
  const rows = data.map((cells, index) => ({ line: index + 1, cells: cells.map(readCell) }))
  return { text, rows: rows.filter(({ cells }) => cells.some((cell) => cell !== '')) }
}
