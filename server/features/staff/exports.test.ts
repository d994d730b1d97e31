import assert from 'node:assert/strict'
import { test } from 'node:test'
import Papa from 'papaparse'
import type { Permission } from '#contract/permissions.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { insertVouchers } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const gm = await openPlayerSession(site, 'gm')
await insertVouchers(site.db, 2)
const newsReader = await createOperator(site, await createRole(site, 'news.read'))

const [order] = (await gm.get('/api/admin/orders')).json().rows
const buyer = String(order.user_num)

type Row = Record<string, unknown>
type Query = Record<string, string>
type CsvRow = Record<string, string>

/** Reads every page of a list, as its screen shows it. */
async function readList(list: string, query: Query): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = ''; ; ) {
    const answer = await gm.get(`/api${list}?${new URLSearchParams({ ...query, after })}`)
    assert.equal(answer.status, 200, answer.text)
    const page = answer.json()
    rows.push(...page.rows)
    if (page.next === null) return rows
    after = page.next
  }
}

/** Exports a list and returns the rows of the CSV file. */
async function readExport(list: string, query: Query): Promise<CsvRow[]> {
  const { status, text } = await gm.post('/api/admin/export', { list, query })
  assert.equal(status, 200, text)
  return Papa.parse<CsvRow>(text.trim().replace('\uFEFF', ''), { header: true }).data
}

type ExportedList = {
  list: string
  permission: Permission
  /** The columns that together identify a row. */
  id: readonly string[]
  /** The filters to test, one query at a time. Each query finds some rows of the demo world, but not all. */
  filters: readonly Query[]
}

const EXPORTED_LISTS: ExportedList[] = [
  {
    list: '/admin/orders',
    permission: 'orders.read',
    id: ['user_num', 'ordinal'],
    filters: [{ player: buyer }, { player: buyer, sort: 'bought_at' }, { item: order.item_name }],
  },
  {
    list: '/admin/ledger',
    permission: 'orders.read',
    id: ['entry'],
    filters: [
      { player: 'juan' },
      { currency: 'milleage' },
      { reason: 'voucher' },
      { player: 'juan', currency: 'r_coin' },
    ],
  },
  {
    list: '/admin/players',
    permission: 'players.read',
    id: ['user_num'],
    filters: [{ q: 'juan' }, { state: 'blocked' }, { state: 'staff', sort: 'created_at' }],
  },
  { list: '/admin/vouchers', permission: 'vouchers.read', id: ['campaign'], filters: [{ name: 'campaign' }] },
  {
    list: '/admin/audit',
    permission: 'audit.read',
    id: ['entry'],
    filters: [{ action: '/admin/export' }, { target_kind: 'list' }],
  },
]

for (const { list, permission, id, filters } of EXPORTED_LISTS) {
  test(`exports ${list} with the filters of its screen, to operators who may read it`, async () => {
    const getRowId = (row: Row) => id.map((name) => String(row[name])).join('-')
    // Adds an audit entry that the filters of the audit log find.
    await readExport(list, {})
    const allRows = await readList(list, {})
    assert.ok(allRows.length > 0)
    for (const query of filters) {
      // The export adds an entry to the audit log after it has read the list.
      const rowIds = (await readList(list, query)).map(getRowId)
      assert.ok(rowIds.length > 0 && rowIds.length < allRows.length, `${JSON.stringify(query)} narrows the list`)
      assert.deepEqual((await readExport(list, query)).map(getRowId), rowIds, JSON.stringify(query))
    }
    const reader = await createOperator(site, await createRole(site, permission))
    assert.equal((await reader.post('/api/admin/export', { list, query: filters[0] })).status, 200)
    assertRefused(await newsReader.post('/api/admin/export', { list, query: {} }), 403)
    assertRefused(await gm.post('/api/admin/export', { list, query: { sort: 'sideways' } }), 422)
  })
}
