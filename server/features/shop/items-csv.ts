import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { findItemProblems, type ItemValues, itemForm } from '#contract/desk-items.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { toManilaLocal } from '#contract/manila.ts'
import { formatCount, parseWholeNumber, WHOLE_NUMBER_RULE } from '#contract/numbers.ts'
import { isUnchangedCell, readCsv, writeCsv } from '#server/csv.ts'
import type { Db } from '#server/db/open.ts'
import { type DeskItem, selectDeskCategories, selectItemsByNumber } from './desk-queries.ts'
import { CSV_FIELDS, getItemValues, type ItemChange, isBridgePaired } from './write-items.ts'

/** The columns of the file, in their order. Times are in Manila time. */
const COLUMNS = ['product_num', 'item_name', 'category', 'currency', ...CSV_FIELDS] as const
type Column = (typeof COLUMNS)[number]
type Cells = Record<Column, string>

const LINES_MAX = 5000

/** Formats a time in Manila as `2026-12-31 18:00`. */
const formatMoment = (moment: string | null) =>
  moment === null ? '' : toManilaLocal(Date.parse(moment)).replace('T', ' ')

const formatValue = (value: string | number | null) => (value === null ? '' : String(value))

/** Formats an item as cells. */
function toCells(item: DeskItem): Cells {
  return {
    product_num: String(item.product_num),
    item_name: item.item_name,
    category: item.category_name,
    currency: item.section === R_COIN_SECTION ? 'R-Coin' : 'Milleage',
    price: String(item.price),
    description: item.description,
    icon: formatValue(item.icon),
    image_url: formatValue(item.image_url),
    ribbon: formatValue(item.ribbon),
    ribbon_picture: formatValue(item.ribbon_picture),
    sale_price: formatValue(item.sale_price),
    sale_starts_at: formatMoment(item.sale_starts_at),
    sale_ends_at: formatMoment(item.sale_ends_at),
    account_limit: formatValue(item.account_limit),
    game_product_num: formatValue(item.game_product_num),
    sold_from: formatMoment(item.sold_from),
    sold_until: formatMoment(item.sold_until),
    hidden: item.hidden ? 'yes' : 'no',
  }
}

/** Formats items as a CSV file for spreadsheets. Escapes text that they would run as a formula. */
export function writeItemsCsv(items: DeskItem[]): string {
  const rows = items.map(toCells).map((cells) => COLUMNS.map((column) => cells[column]))
  return writeCsv([...COLUMNS], rows)
}

/** The beginning of a line that an import ignores. */
const COMMENT = '#'

/**
 * Returns a file with the columns, a line that explains them, and an example (DESK-36). An import ignores both lines.
 */
export function writeItemsTemplate(category: string): string {
  const example: Cells = {
    product_num: `${COMMENT} example`,
    item_name: 'Parol',
    category,
    currency: 'R-Coin',
    price: '500',
    description: 'A star of paper.',
    icon: '',
    image_url: '',
    ribbon: 'NEW',
    ribbon_picture: '',
    sale_price: '400',
    sale_starts_at: '2026-12-01 18:00',
    sale_ends_at: '2026-12-31 18:00',
    account_limit: '2',
    game_product_num: '4711',
    sold_from: '2026-11-01 00:00',
    sold_until: '2027-01-01 00:00',
    hidden: 'no',
  }
  const note = `${COMMENT} Lines that begin with ${COMMENT} are not imported. Write dates in Manila time as 2026-12-31 18:00, and whole numbers as 1500. Leave product_num empty for a new item.`
  return writeCsv([...COLUMNS], [[note], COLUMNS.map((column) => example[column])])
}

type Problem = { line: number; field: string; message: string }

/** The changes in a file, and its problems by line. */
export type CsvChanges = {
  added: { line: number; change: ItemChange; category: string }[]
  changed: { line: number; change: ItemChange; category: string; before: DeskItem }[]
  unchanged: number
  problems: Problem[]
  /** A hash of the file and the versions of its items. It changes when the file or an item changes after the check. */
  checked: string
}

const refuseFile = (problems: Problem[]): CsvChanges => ({
  added: [],
  changed: [],
  unchanged: 0,
  problems,
  checked: '',
})

/**
 * Reads the changes in a CSV file. A line with an item's number changes the item, and a line without a number adds one.
 * Missing columns do not change values.
 */
export async function readItemsCsv(db: Db, bytes: Uint8Array, now: Date, lock = false): Promise<CsvChanges> {
  const file = readCsv(bytes)
  if ('problem' in file) return refuseFile([{ line: file.line, field: '', message: file.problem }])
  const [header = { line: 1, cells: [] }, ...otherRows] = file.rows
  const columns = header.cells.map((name) => name.toLowerCase())
  const lines = otherRows.filter(({ cells }) => !cells[0]?.startsWith(COMMENT))
  const problems: Problem[] = findHeaderProblems(columns).map((message) => ({ line: header.line, field: '', message }))
  if (lines.length === 0) problems.push({ line: header.line, field: '', message: 'The file has no items.' })
  if (lines.length > LINES_MAX)
    problems.push({ line: LINES_MAX + 2, field: '', message: 'A file can have at most 5,000 items.' })
  if (problems.length > 0) return refuseFile(problems)

  const rows = lines.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Partial<Cells>,
    hasExtraCells: cells.some((cell, index) => cell !== '' && !columns[index]),
  }))
  const numbers = rows.flatMap(({ cells }) => parseWholeNumber(cells.product_num ?? '') ?? [])
  const items = new Map(
    (await selectItemsByNumber(db, now, { items: numbers, lock })).map((item) => [item.product_num, item]),
  )
  const categories = new Map(
    (await selectDeskCategories(db)).map(({ id, category_name }) => [category_name.toLowerCase(), id]),
  )
  const parseContext = { categories, now, isBridgePaired: await isBridgePaired(db) }
  const fileChanges: CsvChanges = {
    added: [],
    changed: [],
    unchanged: 0,
    problems,
    checked: hashFileState(file.text, items),
  }
  const linesByItem = new Map<number, number>()
  for (const { line, cells, hasExtraCells } of rows) {
    const addProblem = (field: string, message: string) => void problems.push({ line, field, message })
    if (hasExtraCells) addProblem('', 'This line has more cells than the header.')
    const number = cells.product_num ?? ''
    const before = items.get(parseWholeNumber(number) ?? 0)
    if (number !== '' && before === undefined) {
      addProblem('product_num', `There is no item ${number.slice(0, 20)}. Leave the number empty for a new item.`)
      continue
    }
    if (before !== undefined) {
      const earlierLine = linesByItem.get(before.product_num)
      if (earlierLine !== undefined) addProblem('product_num', `This item is already in line ${earlierLine}.`)
      linesByItem.set(before.product_num, line)
    }
    const change = parseLine(cells, before, parseContext, addProblem)
    if (change === 'unchanged') fileChanges.unchanged++
    else if (change !== undefined) {
      const category = cells.category ?? before?.category_name ?? ''
      if (before === undefined) fileChanges.added.push({ line, change, category })
      else fileChanges.changed.push({ line, change, category, before })
    }
  }
  return fileChanges
}

function findHeaderProblems(columns: string[]): string[] {
  const namedColumns = columns.filter((column) => column !== '')
  return [
    ...namedColumns
      .filter((column) => !(COLUMNS as readonly string[]).includes(column))
      .map((column) => `There is no column “${column.slice(0, 40)}”. The columns are ${COLUMNS.join(', ')}.`),
    ...namedColumns
      .filter((column, index) => namedColumns.indexOf(column) < index)
      .map((column) => `The column “${column.slice(0, 40)}” occurs twice.`),
    ...(namedColumns.includes('product_num') ? [] : ['The column “product_num” is missing.']),
  ]
}

const hashFileState = (text: string, items: Map<number, DeskItem>) =>
  createHash('sha256')
    .update(text)
    .update(JSON.stringify([...items.values()].map(({ product_num, version }) => [product_num, version]).sort()))
    .digest('hex')

/** The default values of a new item. */
const NEW_ITEM: z.input<typeof itemForm> = {
  product_num: null,
  version: null,
  item_name: '',
  category_id: 0,
  section: R_COIN_SECTION,
  price: 0,
  description: '',
  icon: null,
  image_url: null,
  ribbon: null,
  ribbon_picture: null,
  sale_price: null,
  sale_starts_at: null,
  sale_ends_at: null,
  account_limit: null,
  game_product_num: null,
  sold_from: null,
  sold_until: null,
  hidden: false,
  service: null,
  service_pause_hours: null,
  service_classes: [],
  service_schools: [],
  service_choices: [],
}

const isNumberColumn = (column: Column) => ['price', 'sale_price', 'account_limit', 'game_product_num'].includes(column)

/** The context for reading the lines of a file. */
type ParseContext = { categories: Map<string, number>; now: Date; isBridgePaired: boolean }

/** Parses a line as a change. Returns undefined for an invalid line, and reports its problems with `addProblem`. */
function parseLine(
  cells: Partial<Cells>,
  before: DeskItem | undefined,
  { categories, now, isBridgePaired: hasBridge }: ParseContext,
  addProblem: (field: string, message: string) => void,
): ItemChange | 'unchanged' | undefined {
  const wrongFields = new Set<string>()
  const addFieldProblem = (field: string, message: string) => {
    wrongFields.add(field)
    addProblem(field, message)
  }
  const values: Record<string, unknown> = { ...NEW_ITEM, ...before }
  const cellsBefore = before && toCells(before)
  for (const column of COLUMNS) {
    const cell = cells[column]
    if (cell === undefined || column === 'product_num') continue
    if (cellsBefore !== undefined && isUnchangedCell(cell, cellsBefore[column])) continue
    if (column === 'category') {
      values.category_id = categories.get(cell.toLowerCase())
      if (values.category_id === undefined) {
        addFieldProblem('category', `There is no category “${cell.slice(0, 40)}”.`)
        wrongFields.add('category_id')
      }
    } else if (column === 'currency') {
      const isRCoin = /^r-?coin$/i.test(cell)
      if (!isRCoin && !/^mill?eage$/i.test(cell)) addFieldProblem('currency', 'Enter R-Coin or Milleage.')
      else if (isRCoin !== (values.section === R_COIN_SECTION)) values.section = isRCoin ? R_COIN_SECTION : 1
    } else if (column === 'hidden') {
      if (!/^(yes|no|)$/i.test(cell)) addFieldProblem('hidden', 'Enter yes or no.')
      values.hidden = /^yes$/i.test(cell)
    } else if (isNumberColumn(column)) {
      values[column] = cell === '' ? null : parseWholeNumber(cell)
      if (cell !== '' && values[column] === null) addFieldProblem(column, WHOLE_NUMBER_RULE)
    } else if (column.endsWith('_at') || column === 'sold_from' || column === 'sold_until') {
      const moment = parseMoment(cell)
      if (moment === undefined) addFieldProblem(column, 'Enter a date and time in Manila such as 2026-12-31 18:00.')
      else if (cellsBefore === undefined || formatMoment(moment) !== cellsBefore[column]) values[column] = moment
    } else if (column === 'item_name' || column === 'description') values[column] = cell
    else values[column] = cell === '' ? null : cell
  }
  const originalValues: Record<string, unknown> | undefined = before && getItemValues(before)
  if (originalValues !== undefined && wrongFields.size === 0)
    if (Object.entries(originalValues).every(([field, value]) => values[field] === value)) return 'unchanged'
  const result = itemForm.safeParse(values)
  if (!result.success) {
    for (const { path, message } of result.error.issues)
      if (!wrongFields.has(String(path[0]))) addFieldProblem(String(path[0]), message)
    return undefined
  }
  const problems = findItemProblems(result.data as ItemValues, { storedItem: before, now, isBridgePaired: hasBridge })
  for (const [field, messages] of Object.entries(problems))
    for (const message of messages) addFieldProblem(field, message)
  return wrongFields.size > 0 ? undefined : result.data
}

/** Parses a time in the file. Returns undefined for an invalid text. */
function parseMoment(cell: string): string | null | undefined {
  if (cell === '') return null
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}):(\d{2})(?::\d{2})?)?$/.exec(cell)
  if (parts === null) return undefined
  const [, day, hour = '0', minute = '00'] = parts
  const moment = new Date(`${day}T${hour.padStart(2, '0')}:${minute}:00+08:00`)
  return Number.isNaN(moment.getTime()) || !formatMoment(moment.toISOString()).startsWith(day ?? '')
    ? undefined
    : moment.toISOString()
}

/** Describes a new item in one line, for the check before an import (DESK-36). */
export function describeNewItem({ change, category }: CsvChanges['added'][number]): string {
  const { price, sale_price, section, game_product_num, hidden } = change
  const parts = [
    `category ${category}`,
    `price ${formatCount(price)} ${section === R_COIN_SECTION ? 'R-Coin' : 'Milleage'}`,
    ...(sale_price === null ? [] : [`sale price ${formatCount(sale_price)}`]),
    game_product_num === null ? 'no number in the game' : `number in the game ${game_product_num}`,
    ...(hidden ? ['hidden'] : []),
  ]
  return `new: ${parts.join(', ')}`
}

/** Describes the changes of an item in one line, column by column. */
export function describeItemChange({ change, category, before }: CsvChanges['changed'][number]): string {
  const cellsBefore = toCells(before)
  const cells = toCells({ ...before, ...getItemValues(change), category_name: category })
  const isSame = (column: Column) =>
    column === 'category'
      ? change.category_id === before.category_id
      : isUnchangedCell(cells[column], cellsBefore[column])
  return COLUMNS.filter((column) => !isSame(column))
    .map((column) => `${column}: ${cellsBefore[column] || 'none'} → ${cells[column] || 'none'}`)
    .join('; ')
}
