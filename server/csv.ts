import Papa from 'papaparse'

/** What a spreadsheet would run as a formula: also written in full width, and behind characters that cannot be seen. */
const FORMULA = /^[\p{Z}\p{C}]*[=+\-@＝＋－＠\t\r]/u

/** A CSV file as spreadsheets open it. A text that they would run as a formula gets an apostrophe before it. */
export const writeCsv = (fields: string[], rows: unknown[][]): string =>
  `\uFEFF${Papa.unparse({ fields, data: rows }, { escapeFormulae: FORMULA })}`

/** A cell without the apostrophe that `writeCsv` puts before what looks like a formula. */
export const readCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
