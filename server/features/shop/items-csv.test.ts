import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlayerSession } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { insertItem } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')

const upload = (path: string, file: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) => {
  const body = new FormData()
  body.set('file', new File([file], 'items.csv', { type: 'text/csv' }))
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return site.send(path, { method: 'POST', body, headers: gm.headers })
}
const checkFile = async (file: string | Uint8Array<ArrayBuffer>) => {
  const answer = await upload('/api/admin/items/check-csv', file)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const importFile = async (file: string | Uint8Array<ArrayBuffer>) => {
  const { checked, problems } = await checkFile(file)
  assert.deepEqual(problems, [])
  const answer = await upload('/api/admin/items/import-csv', file, { checked })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const loadItem = async (item: number) => (await gm.get(`/api/admin/items/${item}`)).json().item
const exportAll = async () => (await gm.get('/api/admin/items/csv')).text

/** Encodes a text in UTF-16 with a byte order mark, as Excel saves “Unicode text”. */
const toUtf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return Uint8Array.from(isBigEndian ? bytes.swap16() : bytes)
}

/** Encodes a text in windows-1252. Its characters must have the same code there and in Unicode. */
const toWindowsBytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

test('a cell accepts the same whole numbers as the form’s field', async () => {
  const item = await insertItem(db, { price: 50 })
  for (const cell of [
    '5.000',
    '5,00',
    '"5.000,00"',
    '1E+03',
    '1e3',
    '0x10',
    '+5',
    '-5',
    '5.',
    ' 1 000',
    'Infinity',
    '५',
  ])
    for (const column of ['price', 'sale_price', 'account_limit', 'game_product_num']) {
      const { problems, changed } = await checkFile(`product_num\t${column}\n${item}\t${cell}`)
      assert.deepEqual(
        [changed, problems],
        [0, [{ line: 2, field: column, message: 'Enter a whole number such as 1500.' }]],
      )
    }
  for (const number of [`${item}.0`, `${item}e0`, `0x${item.toString(16)}`])
    assert.match((await checkFile(`product_num,price\n${number},5`)).problems[0].message, /^There is no item/)
  await importFile(`product_num,price\n${item},"1,200"`)
  assert.equal((await loadItem(item)).price, 1200)
  assert.match((await checkFile(`product_num,price\n${item},`)).problems[0].message, /Enter a price/)
})

test('reads the letters of a file in a Windows code page', async () => {
  const item = await insertItem(db, {})
  const windowsLetters = Uint8Array.from([0x91, 0x96, 0xa2])
  await importFile(
    Uint8Array.from([
      ...toWindowsBytes(`product_num,item_name,description\r\n${item},Señorita,Jalapeño `),
      ...windowsLetters,
    ]),
  )
  const { item_name, description } = await loadItem(item)
  assert.deepEqual([item_name, description], ['Señorita', 'Jalapeño ‘–¢'])
})

test('reads a file in UTF-16 with either byte order', async () => {
  const item = await insertItem(db, {})
  for (const isBigEndian of [false, true]) {
    const name = isBigEndian ? 'Ñandú' : 'Żubr'
    await importFile(toUtf16(`product_num\titem_name\r\n${item}\t${name}\r\n`, isBigEndian))
    assert.equal((await loadItem(item)).item_name, name)
  }
})

test('refuses a file in another encoding with an explanation', async () => {
  const text = 'product_num,price\n1,300\n'
  const files = [
    Uint8Array.from(Buffer.from(text, 'utf16le')),
    toUtf16(text).slice(0, -1),
    Uint8Array.from([0xef, 0xbb, 0xbf, ...toWindowsBytes('product_num,item_name\n1,Ni\xf1o')]),
    Uint8Array.from([...toWindowsBytes('product_num,item_name\n1,'), 0x8f, 0xf1]),
  ]
  for (const file of files)
    assert.deepEqual((await checkFile(file)).problems, [
      {
        line: 1,
        field: '',
        message: 'The encoding of this file is unknown. Save it as “CSV UTF-8” and choose it again.',
      },
    ])
})

test('accepts blank lines, separators and quotes that spreadsheets add to the data', async () => {
  const item = await insertItem(db, {})
  const lines = ['product_num;item_name;price;;', `"${item}";"Sando; blue";"1,500";;`, ';;;;', '', ';;;;', '']
  const files = {
    semicolons: lines.join('\n'),
    'carriage returns and line feeds': lines.join('\r\n'),
    'carriage returns alone': lines.join('\r'),
    'a byte order mark': `\uFEFF${lines.join('\r\n')}`,
    'a separator line': `sep=;\r\n${lines.join('\r\n')}`,
    'a byte order mark and a separator line': `\uFEFFsep=;\r\n${lines.join('\r\n')}`,
    'a separator line of commas': `"sep=,"\nproduct_num,item_name,price\n${item},"Sando; blue","1,500"`,
    'a rare separator': `sep=|\nproduct_num|item_name|price\n${item}|Sando; blue|1500`,
    tabs: `product_num\titem_name\tprice\t\n${item}\t"Sando; blue"\t1,500\t\n\t\t\t\n`,
    'quotes and capitals in the header': `"PRODUCT_NUM","Item_Name"," price "\n"${item}","Sando; blue","1,500"`,
    'empty rows before the header': `,,\n,,\nproduct_num,item_name,price\n${item},Sando; blue,1500`,
  }
  for (const [name, file] of Object.entries(files)) {
    const { changed, added, problems } = await checkFile(file)
    assert.deepEqual({ changed, added, problems }, { changed: 1, added: 0, problems: [] }, name)
  }
  await importFile(files.semicolons)
  for (const [name, file] of Object.entries(files)) assert.equal((await checkFile(file)).unchanged, 1, name)
  const checkResult = await checkFile(`product_num,price,\n${item},5,note`)
  assert.match(checkResult.problems[0].message, /more cells than the header/)
})

test('names the line that the spreadsheet shows, after empty rows and line breaks in cells', async () => {
  const item = await insertItem(db, {})
  const { problems } = await checkFile(`product_num,price,description\n\n${item},5,"two\nlines"\n,,\n${item},none,`)
  assert.deepEqual(
    problems.map(({ line, field }: Record<string, unknown>) => [line, field]),
    [
      [5, 'product_num'],
      [5, 'price'],
    ],
  )
  assert.match((await checkFile(`product_num,price\n${item},"5`)).problems[0].message, /not closed/)
})

test('finds no changes in an exported file that a spreadsheet saved in another format', async () => {
  const item = await insertItem(db, {
    item_name: 'Señorita',
    description: ' first\r\nsecond ',
    sale_starts_at: new Date('2027-01-01T10:00:30Z'),
    sale_price: 5,
    price: 1500,
  })
  await insertItem(db, { item_name: "'=one", description: '=SUM(A1)' })
  await insertItem(db, { description: '\u202eold rules' })
  const exportedText = (await exportAll()).replace(/^\uFEFF/, '')
  const files = [
    exportedText,
    exportedText.replaceAll('\r\n', '\n'),
    toUtf16(exportedText),
    `sep=,\n${exportedText}\r\n,,,,\r\n`,
    exportedText
      .replaceAll('R-Coin', 'r-coin')
      .replaceAll(',1500,', ',"1,500",')
      .replaceAll('2027-01-01 18:00', '2027-01-01T18:00:00'),
  ]
  for (const [nth, file] of files.entries()) {
    const { problems, changed, added, changes, unchanged } = await checkFile(file)
    assert.deepEqual(
      { problems, changed, added, changes },
      { problems: [], changed: 0, added: 0, changes: [] },
      `${nth}`,
    )
    assert.ok(unchanged > 60)
  }
  const { changed, changes } = await checkFile(`product_num,price,item_name\n${item},1600,Señorita`)
  assert.equal(changed, 1)
  assert.equal(changes[0].what, 'price: 1500 → 1600')
})

test('the check shows a new item with category, price and number in the game', async () => {
  const header = 'product_num,item_name,category,currency,price,sale_price,game_product_num,hidden'
  const { changes } = await checkFile(
    `${header}\n,Kite,costumes,R-Coin,"1,750",900,4711,yes\n,Top,Costumes,Milleage,400,,,`,
  )
  assert.deepEqual(
    changes.map(({ what }: { what: string }) => what),
    [
      'new: category costumes, price 1,750 R-Coin, sale price 900, number in the game 4711, hidden',
      'new: category Costumes, price 400 Milleage, no number in the game',
    ],
  )
})

test('the template has an example and explains dates, and its import changes nothing', async () => {
  const answer = await gm.get('/api/admin/items/template')
  assert.equal(answer.status, 200, answer.text)
  const [header = '', noteLine = '', example = ''] = answer.text.replace(/^\uFEFF/, '').split('\r\n')
  assert.equal(header, (await exportAll()).replace(/^\uFEFF/, '').split('\r\n')[0])
  assert.match(noteLine, /dates in Manila time as 2026-12-31 18:00/)
  assert.deepEqual((await checkFile(answer.text)).problems, [{ line: 1, field: '', message: 'The file has no items.' }])
  const filledTemplate = `${header}\r\n${noteLine}\r\n${example.replace('# example', '').replaceAll('2026-', '2099-').replaceAll('2027-', '2100-')}`
  const { problems, added } = await checkFile(filledTemplate)
  assert.deepEqual([problems, added], [[], 1])
})

test('requires the number in the game in the form and in a file while a bridge is paired', async () => {
  const item = await insertItem(db, { price: 70 })
  const values = { ...(await loadItem(item)), product_num: null, version: null }
  const saveItem = async (change: object) => gm.post('/api/admin/items/save', { ...values, ...change })
  const file = 'product_num,item_name,category,currency,price\n,Kite,Costumes,R-Coin,750'
  assert.equal((await saveItem({})).status, 200)
  assert.equal((await checkFile(file)).problems.length, 0)
  const bridgeValues = { name: 'Game', sign_key: 'sign', seal_key: 'seal', paired_at: new Date(), paired_by: null }
  const { bridge } = await db
    .insertInto('bridges')
    .values({
      ...bridgeValues,
      epoch: null,
      revoked_at: null,
      revoked_by: null,
      seen_at: null,
      checked_at: null,
      check_asked_at: null,
    })
    .returning('bridge')
    .executeTakeFirstOrThrow()
  const message = 'Enter the item’s number in the game. The bridge delivers the item by this number.'
  const response = await saveItem({})
  assert.equal(response.status, 422)
  assert.deepEqual(response.json()['form-error'], { game_product_num: [message] })
  assert.deepEqual((await checkFile(file)).problems, [{ line: 2, field: 'game_product_num', message }])
  assert.deepEqual((await checkFile(`product_num,price\n${item},80`)).problems, [
    { line: 2, field: 'game_product_num', message },
  ])
  assert.equal((await checkFile(`product_num,price\n${item},70`)).unchanged, 1)
  assert.equal((await saveItem({ game_product_num: 4711 })).status, 200)
  assert.equal((await saveItem({ service: 'unstuck', service_pause_hours: 1 })).status, 200)
  await db.updateTable('bridges').set({ revoked_at: new Date() }).where('bridge', '=', bridge).execute()
  assert.equal((await saveItem({})).status, 200)
})
