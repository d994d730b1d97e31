import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { PRICE_MAX } from '#contract/limits.ts'
import { openTestDatabase, TEST_NOW } from '#test/databases.ts'
import { insertAccount, insertCharacter, insertNews, insertRows } from '#test/factories.ts'
import { breaksConstraint } from './errors.ts'
import { migrate, readMigrations, splitStatements } from './migrate.ts'

const database = await openTestDatabase('empty')
after(() => database.close())
const { db } = database
const ownerNum = await insertAccount(db, { user_id: 'Lakan' })

test('migrations that are already applied do nothing', async () => {
  assert.deepEqual(await migrate(db), [])
  for (const { name } of await readMigrations()) assert.match(name, /^\d{3}-[a-z-]+$/)
})

test('splits a script where a statement ends a line, but not within a function’s body', () => {
  assert.deepEqual(splitStatements('select 1;\n-- note; more\nselect 2;\n'), ['select 1;', '-- note; more\nselect 2;'])
  const body = 'create function f() returns int as $$\nbegin\n  return 1;\nend\n$$;'
  assert.deepEqual(splitStatements(`${body}\nselect 1;`), [body, 'select 1;'])
  assert.deepEqual(splitStatements('select 1'), ['select 1'])
})

/** The error codes are PostgreSQL's: 23503 of a foreign key, 23505 of a unique index, 23514 of a check. */
const refusedChanges: [change: string, attempt: () => Promise<unknown>, code: string][] = [
  [
    'R-Coin below zero',
    () => db.updateTable('accounts').set({ r_coin: -1 }).where('user_num', '=', ownerNum).execute(),
    '23514',
  ],
  [
    'Milleage below zero',
    () => db.updateTable('accounts').set({ milleage: -1 }).where('user_num', '=', ownerNum).execute(),
    '23514',
  ],
  ['a user ID that differs only in case', () => insertAccount(db, { user_id: 'LAKAN', user_email: 'a@b.ph' }), '23505'],
  ['an email that differs only in case', () => insertAccount(db, { user_email: 'LAKAN@example.com' }), '23505'],
  ['a user ID with a space', () => insertAccount(db, { user_id: 'a b' }), '23514'],
  [
    'a ledger entry with an amount of zero',
    () => insertRows(db, 'ledger', { user_num: ownerNum, currency: 'r_coin', delta: 0, balance_after: 0, reason: 'x' }),
    '23514',
  ],
  [
    'a ledger entry that leaves a negative balance',
    () =>
      insertRows(db, 'ledger', { user_num: ownerNum, currency: 'r_coin', delta: -1, balance_after: -1, reason: 'x' }),
    '23514',
  ],
  [
    'a second open month',
    () =>
      insertRows(db, 'ranking_periods', {
        period: '2026-12',
        starts_at: TEST_NOW,
        ends_at: new Date('2027-01-01'),
        opened_at: TEST_NOW,
      }),
    '23505',
  ],
  [
    'a month with an invalid number',
    () =>
      insertRows(db, 'ranking_periods', {
        period: '2026-13',
        starts_at: TEST_NOW,
        ends_at: new Date('2027-01-01'),
        opened_at: TEST_NOW,
        closed_at: TEST_NOW,
      }),
    '23514',
  ],
  ['an account of user type 2', () => insertAccount(db, { user_type: 2 }), '23514'],
  ['an account of user type 10', () => insertAccount(db, { user_type: 10 }), '23514'],
  ['an unknown news type', () => insertNews(db, { type: 3 as never }), '23514'],
  ['a character without an account', () => insertCharacter(db, { user_num: 999_999 }), '23503'],
  [
    'a price above the ceiling',
    async () => {
      await sql`insert into shop_categories (category_name, position) values ('Arms', 1)`.execute(db)
      await sql`insert into shop_items (category_id, item_name, price, section, position)
        select id, 'Moon', ${PRICE_MAX + 1}, 2, 1 from shop_categories`.execute(db)
    },
    '23514',
  ],
  ['a character of level 0', () => insertCharacter(db, { user_num: ownerNum, cha_level: 0 }), '23514'],
]

for (const [change, attempt, code] of refusedChanges) {
  test(`the database refuses ${change}`, () => assert.rejects(attempt(), { code }))
}

const downloadRow = {
  position: 1,
  link_name: 'Mirror',
  link_type: 'zip',
  link_description: '',
  link_date: TEST_NOW,
  link_icon: 'mirror' as const,
}
const mediaRow = { kind: 'wallpaper' as const, position: 1, title: 'Bubong', created_at: TEST_NOW }
const toFileList = (url: string) => JSON.stringify([{ url, type: 'image/webp', width: 1, height: 1 }])

/** Each function inserts a row with the address of a picture or of captions. */
const pictureInserts: [fieldName: string, insert: (address: string) => Promise<unknown>][] = [
  ['the picture of a news item', (picture) => insertNews(db, { picture })],
  [
    'the picture of a banner',
    (picture) => insertRows(db, 'banners', { position: 1, title: ['A'], href: '/', picture }),
  ],
  [
    "a banner's picture for the phone",
    (picture_phone) => insertRows(db, 'banners', { position: 1, title: ['A'], href: '/', picture_phone }),
  ],
  ['the picture of a media entry', (picture) => insertRows(db, 'media', { ...mediaRow, picture })],
  ['a preview', (url) => insertRows(db, 'media', { ...mediaRow, previews: toFileList(url) })],
  ['captions', (url) => insertRows(db, 'media', { ...mediaRow, captions: toFileList(url) })],
]

/** Each function inserts a row with a link. */
const linkInserts: [fieldName: string, insert: (address: string) => Promise<unknown>][] = [
  ['the link of a banner', (href) => insertRows(db, 'banners', { position: 1, title: ['A'], href })],
  ['the link of a download', (link_address) => insertRows(db, 'downloads', { ...downloadRow, link_address })],
  ['the file of a wallpaper', (url) => insertRows(db, 'media', { ...mediaRow, files: toFileList(url) })],
]

const DANGEROUS_ADDRESSES = [
  'javascript:steal()',
  ' /a',
  '//evil.example/a',
  '/\\evil.example',
  'data:image/svg+xml,<svg>',
  'a\tb',
  '',
]

for (const [fieldName, insert] of pictureInserts) {
  test(`${fieldName} is a path of this site`, async () => {
    await insert('/art/news-01.webp')
    for (const address of [...DANGEROUS_ADDRESSES, 'https://evil.example/a.png', 'http://evil.example/a.png'])
      await assert.rejects(insert(address), { code: '23514' }, address)
  })
}

for (const [fieldName, insert] of linkInserts) {
  test(`${fieldName} leads to this site or over https`, async () => {
    await insert('/downloads')
    await insert('https://example.com/a?b=1#c')
    for (const address of [
      ...DANGEROUS_ADDRESSES,
      'http://example.com',
      'https://',
      'https:///a',
      'ftp://example.com/a',
    ])
      await assert.rejects(insert(address), { code: '23514' }, address)
  })
}

test('rolls back the whole transaction when one of its statements fails', async () => {
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await insertNews(tx, { subject: 'Hindi matutuloy' })
      await sql`select 1 / 0`.execute(tx)
    }),
  )
  const remainingNews = await db.selectFrom('news').where('subject', '=', 'Hindi matutuloy').select('id').execute()
  assert.deepEqual(remainingNews, [])
})

test('a query outside an open transaction is not part of it', async () => {
  const insideTransaction = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const failingTransaction = db.transaction().execute(async (tx) => {
    await insertNews(tx, { subject: 'Binawi' })
    insideTransaction.resolve()
    await end.promise
    throw new Error('rolled back')
  })
  await insideTransaction.promise
  const concurrentInsert = insertNews(db, { subject: 'Nanatili' })
  end.resolve()
  await assert.rejects(failingTransaction, /rolled back/)
  await concurrentInsert
  const remainingNews = await db
    .selectFrom('news')
    .where('subject', 'in', ['Binawi', 'Nanatili'])
    .select('subject')
    .execute()
  assert.deepEqual(remainingNews, [{ subject: 'Nanatili' }])
})

test('sends one notification for each change of content, after its commit', async () => {
  const notifiedTables: string[] = []
  const bothNotifications = Promise.withResolvers<void>()
  await database.listen('content_changed', (table) => {
    notifiedTables.push(table)
    if (table === 'banners') bothNotifications.resolve()
  })
  await insertNews(db)
  await db.deleteFrom('banners').execute()
  await bothNotifications.promise
  assert.deepEqual(notifiedTables, ['news', 'banners'])
})

test('recognizes a violated unique constraint by its name', async () => {
  const violation = await insertAccount(db, { user_id: 'LAKAN', user_email: 'c@d.ph' }).catch((error: unknown) => error)
  assert.ok(breaksConstraint(violation, 'accounts_user_id_key'))
  assert.ok(!breaksConstraint(violation, 'accounts_user_email_key'))
  const otherError = await sql`select 1 / 0`.execute(db).catch((error: unknown) => error)
  for (const unrelatedError of [otherError, new Error('accounts_user_id_key'), null]) {
    assert.ok(!breaksConstraint(unrelatedError, 'accounts_user_id_key'))
  }
})
