import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import Papa from 'papaparse'
import type { z } from 'zod'
import { findItemProblems, type ItemValues, itemForm } from '#contract/desk-items.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { toManilaLocal } from '#contract/manila.ts'
import { readCell, writeCsv } from '#server/csv.ts'
import type { Db } from '#server/db/open.ts'
import { type DeskItem, selectDeskCategories, selectItemsByNumber } from './desk-queries.ts'
import { type ItemChange, OWN_NAMED_FIELDS, valuesOf } from './write-items.ts'

/** The columns of the file, in their order. Moments are in Manila time. */
const COLUMNS = ['product_num', 'item_name', 'category', 'currency', ...OWN_NAMED_FIELDS] as const
type Column = (typeof COLUMNS)[number]
type Cells = Record<Column, string>

const LINES_MAX = 5000

/** A moment as `2026-12-31 18:00`, in Manila. */
const writeMoment = (moment: string | null) =>
  moment === null ? '' : toManilaLocal(Date.parse(moment)).replace('T', ' ')

const write = (value: string | number | null) => (value === null ? '' : String(value))

/** The cells of an item. */
function toCells(item: DeskItem): Cells {
  return {
    product_num: String(item.product_num),
    item_name: item.item_name,
    category: item.category_name,
    currency: item.section === R_COIN_SECTION ? 'R-Coin' : 'Milleage',
    price: String(item.price),
    description: item.description,
    icon: write(item.icon),
    image_url: write(item.image_url),
    ribbon: write(item.ribbon),
    ribbon_picture: write(item.ribbon_picture),
    sale_price: write(item.sale_price),
    sale_starts_at: writeMoment(item.sale_starts_at),
    sale_ends_at: writeMoment(item.sale_ends_at),
    account_limit: write(item.account_limit),
    game_product_num: write(item.game_product_num),
    sold_from: writeMoment(item.sold_from),
    sold_until: writeMoment(item.sold_until),
    hidden: item.hidden ? 'yes' : 'no',
  }
}

/** Items as a CSV file that spreadsheets open; text that they would run as a formula is escaped. */
export function writeItemsCsv(items: DeskItem[]): string {
  const rows = items.map(toCells).map((cells) => COLUMNS.map((column) => cells[column]))
  return writeCsv([...COLUMNS], rows)
}

type Problem = { line: number; field: string; message: string }

/** What a file asks for, with everything that is wrong with it by line. */
export type ReadItems = {
  added: { line: number; change: ItemChange }[]
  changed: { line: number; change: ItemChange; before: DeskItem }[]
  unchanged: number
  problems: Problem[]
  /** Names the file and its items as they are, so a later import can tell whether either has changed. */
  checked: string
}

/**
 * Reads a CSV file against the items as they are. A line with a number changes that item, one without makes a new one;
 * columns that the file does not have stay as they are.
 */
export async function readItemsCsv(db: Db, text: string, now: Date, lock = false): Promise<ReadItems> {
  const parsed = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' })
  const [head = [], ...lines] = parsed.data
  const columns = head.map((name) => name.trim().toLowerCase())
  const problems: Problem[] = findHeadProblems(columns)
  for (const error of parsed.errors)
    if (error.type === 'Quotes')
      problems.push({ line: (error.row ?? 0) + 1, field: '', message: 'A quotation mark is not closed.' })
  if (lines.length === 0) problems.push({ line: 1, field: '', message: 'The file has no items.' })
  if (lines.length > LINES_MAX)
    problems.push({ line: LINES_MAX + 2, field: '', message: 'A file can have at most 5,000 items.' })
  if (problems.length > 0) return { added: [], changed: [], unchanged: 0, problems, checked: '' }

  const rows = lines.map((cells) =>
    Object.fromEntries(columns.map((column, index) => [column, readCell((cells[index] ?? '').trim())])),
  ) as Partial<Cells>[]
  const numbers = rows.flatMap(({ product_num = '' }) => (/^\d{1,15}$/.test(product_num) ? [Number(product_num)] : []))
  const items = new Map(
    (await selectItemsByNumber(db, now, { items: numbers, lock })).map((item) => [item.product_num, item]),
  )
  const categories = new Map(
    (await selectDeskCategories(db)).map(({ id, category_name }) => [category_name.toLowerCase(), id]),
  )
  const read: ReadItems = { added: [], changed: [], unchanged: 0, problems, checked: nameState(text, items) }
  const seen = new Map<number, number>()
  for (const [index, cells] of rows.entries()) {
    // The head is line 1. A cell with line breaks makes the file's own lines more.
    const line = index + 2
    const add = (field: string, message: string) => void problems.push({ line, field, message })
    if ((lines[index]?.length ?? 0) > columns.length) add('', 'This line has more cells than the header.')
    const given = cells.product_num ?? ''
    const before = items.get(Number(given))
    if (given !== '' && before === undefined) {
      add('product_num', `There is no item ${given}. Leave the number empty for a new item.`)
      continue
    }
    if (before !== undefined) {
      const earlier = seen.get(before.product_num)
      if (earlier !== undefined) add('product_num', `This item is already in line ${earlier}.`)
      seen.set(before.product_num, line)
    }
    const change = readLine(cells, before, { categories, now }, add)
    if (change === undefined) continue
    if (before === undefined) read.added.push({ line, change })
    else if (isDeepStrictEqual(valuesOf(change), valuesOf(before))) read.unchanged++
    else read.changed.push({ line, change, before })
  }
  return read
}

function findHeadProblems(columns: string[]): Problem[] {
  const messages = [
    ...columns
      .filter((column) => !(COLUMNS as readonly string[]).includes(column))
      .map((column) => `There is no column “${column.slice(0, 40)}”. The columns are ${COLUMNS.join(', ')}.`),
    ...columns
      .filter((column, index) => columns.indexOf(column) < index)
      .map((column) => `The column “${column.slice(0, 40)}” occurs twice.`),
    ...(columns.includes('product_num') ? [] : ['The column “product_num” is missing.']),
  ]
  return messages.map((message) => ({ line: 1, field: '', message }))
}

const nameState = (text: string, items: Map<number, DeskItem>) =>
  createHash('sha256')
    .update(text)
    .update(JSON.stringify([...items.values()].map(({ product_num, version }) => [product_num, version]).sort()))
    .digest('hex')

/** A new item, before a line says what it is. */
const BLANK: z.input<typeof itemForm> = {
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

const isNumber = (column: Column) => ['price', 'sale_price', 'account_limit', 'game_product_num'].includes(column)

/** One line as a change; undefined when something in it is wrong, which `add` is told. */
function readLine(
  cells: Partial<Cells>,
  before: DeskItem | undefined,
  { categories, now }: { categories: Map<string, number>; now: Date },
  add: (field: string, message: string) => void,
): ItemChange | undefined {
  let isWrong = false
  const wrong = (field: string, message: string) => {
    isWrong = true
    add(field, message)
  }
  const given: Record<string, unknown> = { ...BLANK, ...before }
  for (const column of COLUMNS) {
    const cell = cells[column]
    if (cell === undefined || column === 'product_num') continue
    if (column === 'category') {
      given.category_id = categories.get(cell.toLowerCase())
      if (given.category_id === undefined) wrong('category', `There is no category “${cell.slice(0, 40)}”.`)
    } else if (column === 'currency') {
      const isRCoin = /^r-?coin$/i.test(cell)
      if (!isRCoin && !/^mill?eage$/i.test(cell)) wrong('currency', 'Enter R-Coin or Milleage.')
      else if (isRCoin !== (given.section === R_COIN_SECTION)) given.section = isRCoin ? R_COIN_SECTION : 1
    } else if (column === 'hidden') {
      if (!/^(yes|no|)$/i.test(cell)) wrong('hidden', 'Enter yes or no.')
      given.hidden = /^yes$/i.test(cell)
    } else if (isNumber(column)) {
      given[column] =
        cell === '' && column !== 'price'
          ? null
          : Number(cell.replace(/^(\d{1,3})(?:,(\d{3}))+$/, (n) => n.replaceAll(',', '')))
      if (cell === '' && column === 'price') given.price = undefined
      else if (Number.isNaN(given[column])) wrong(column, `“${cell.slice(0, 20)}” is not a number.`)
    } else if (column.endsWith('_at') || column === 'sold_from' || column === 'sold_until') {
      const moment = readMoment(cell, before?.[column as 'sold_from'] ?? null)
      if (moment === undefined) wrong(column, 'Enter a date and time in Manila such as 2026-12-31 18:00.')
      else given[column] = moment
    } else if (column === 'item_name' || column === 'description') given[column] = cell
    else given[column] = cell === '' ? null : cell
  }
  const parsed = itemForm.safeParse(given)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues)
      if (!(path[0] === 'category_id' && isWrong) && !Number.isNaN(given[String(path[0])]))
        wrong(String(path[0]), message)
    return undefined
  }
  for (const [field, messages] of Object.entries(findItemProblems(parsed.data as ItemValues, { present: before, now })))
    for (const message of messages) wrong(field, message)
  return isWrong ? undefined : parsed.data
}

/** A moment of the file; the one that the item has already is kept to the second. Undefined for what is none. */
function readMoment(cell: string, present: string | null): string | null | undefined {
  if (cell === '') return null
  if (cell === writeMoment(present)) return present
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}):(\d{2})(?::\d{2})?)?$/.exec(cell)
  if (parts === null) return undefined
  const [, day, hour = '0', minute = '00'] = parts
  const moment = new Date(`${day}T${hour.padStart(2, '0')}:${minute}:00+08:00`)
  return Number.isNaN(moment.getTime()) || !writeMoment(moment.toISOString()).startsWith(day ?? '')
    ? undefined
    : moment.toISOString()
}
