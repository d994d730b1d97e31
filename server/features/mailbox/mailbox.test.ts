import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { cleanUp } from '#server/clean-ups.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { readUnits, refundUnits } from '#server/features/orders/refund.ts'
import { assertRefused, findPlayer, newPlayer, type Player } from '#test/account-helpers.ts'
import { insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { type Audience, sendLetter } from './letters.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site

const send = (to: number | Audience, subject = 'Hello', now = site.clock.now()) =>
  db
    .transaction()
    .execute((tx) =>
      sendLetter(tx, { kind: typeof to === 'number' ? 'refund' : 'staff', to, subject, body: 'Words.', now }),
    )
const box = async (player: Player, after = '') => (await player.get(`/api/mailbox?after=${after}`)).json()
const subjects = async (player: Player) =>
  (await box(player)).letters.map(({ subject }: { subject: string }) => subject) as string[]
const unread = async (player: Player) => (await player.get('/api/mailbox/unread')).json().unread
/** Registers a player whose account is older than the letters by the clock of the test. */
const join = async () => {
  site.clock.advance(1000)
  const player = await newPlayer(site)
  await updateRows(db, 'accounts', { user_num: player.user.UserNum }, { created_at: site.clock.now() })
  return player
}

test('only the addressed player can see, read and delete a letter', async () => {
  const [ana, ben] = [await join(), await join()]
  const letter = await send(ana.user.UserNum, 'Refunded')
  assert.deepEqual([await unread(ana), await unread(ben)], [1, 0])
  assertRefused(await ben.post('/api/mailbox/open', { letter }), 404)
  assertRefused(await ben.post('/api/mailbox/delete', { letter }), 404)
  const opened = (await ana.post('/api/mailbox/open', { letter })).json()
  assert.deepEqual([opened.letter.body, opened.letter.read, opened.unread], ['Words.', true, 0])
  assert.equal((await ana.post('/api/mailbox/delete', { letter })).json().unread, 0)
  assert.deepEqual(await subjects(ana), [])
  assertRefused(await ana.post('/api/mailbox/open', { letter }), 404)
})

test('a letter to everyone is one row, and reaches the accounts that existed when it was sent', async () => {
  const [ana, ben] = [await join(), await join()]
  const letter = await send({}, 'Maintenance tonight')
  site.clock.advance(1000)
  const late = await join()
  assert.deepEqual([await unread(ana), await unread(ben), await unread(late)], [1, 1, 0])
  await ana.post('/api/mailbox/delete', { letter })
  assert.deepEqual([await subjects(ana), await subjects(ben)], [[], ['Maintenance tonight']])
  const states = await db.selectFrom('letter_states').where('letter', '=', letter).selectAll().execute()
  assert.equal(states.length, 1)
})

test('sends a letter to players by level, by school, or by an earlier purchase', async () => {
  const player = await join()
  const user_num = player.user.UserNum
  await sql`
    insert into characters (user_num, cha_name, cha_level, cha_class, cha_school, base_kills, base_deaths, base_resu)
    values (${user_num}, 'LetterReader', 120, '1', 2, 0, 0, 0)`.execute(db)
  const buy = (ordinal: number, product_num: number) =>
    insertRows(db, 'purchases', {
      user_num,
      ordinal,
      product_num,
      item_name: 'x',
      section: 2,
      price: 1,
      quantity: 1,
      created_at: site.clock.now(),
    })
  await buy(1, 1)
  site.clock.advance(1000)
  const wanted: [Audience, boolean][] = [
    [{ levels: { from: 100, to: 120 } }, true],
    [{ levels: { from: 121, to: 200 } }, false],
    [{ school: 2 }, true],
    [{ school: 1 }, false],
    [{ bought: 1 }, true],
    [{ bought: 2 }, false],
    [{ school: 2, bought: 2 }, false],
  ]
  for (const [audience] of wanted) await send(audience, JSON.stringify(audience))
  await buy(2, 2)
  const expected = wanted.filter(([, reaches]) => reaches).map(([audience]) => JSON.stringify(audience))
  assert.deepEqual((await subjects(player)).sort(), expected.sort())
  assert.equal(await unread(player), expected.length)
})

test('pages through the list without gaps, and counts up to 100 for the badge', async () => {
  const player = await join()
  for (let n = 1; n <= 103; n++) await send(n % 2 === 0 ? {} : player.user.UserNum, `Letter ${n}`)
  assert.equal(await unread(player), 100)
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const page: { letters: { subject: string }[]; next: string | null } = await box(player, after)
    seen.push(...page.letters.map(({ subject }) => subject))
    after = page.next
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 103 }, (_, n) => `Letter ${103 - n}`),
  )
})

test('marks all letters as read, but not a later one with a smaller number', async () => {
  const player = await join()
  await send({}, 'Old', new Date(site.clock.now().getTime() - 2 * 60_000))
  await send(player.user.UserNum, 'New')
  const { rows } = await sql<{
    letter: string
  }>`select nextval(pg_get_serial_sequence('letters', 'letter')) as letter`.execute(db)
  await send(player.user.UserNum, 'Newer')
  assert.equal((await player.post('/api/mailbox/readall')).json().unread, 0)
  const at = site.clock.now()
  await sql`insert into letters (letter, kind, to_num, subject, body, sent_at, expires_at) overriding system value
    values (${Number(rows[0]?.letter)}, 'refund', ${player.user.UserNum}, 'On its way', 'x', ${at}, ${new Date(at.getTime() + DAY_MS)})`.execute(
    db,
  )
  assert.equal(await unread(player), 1)
})

test('an expired letter disappears, and is then deleted with its read marks', async () => {
  const player = await join()
  const letter = await send(player.user.UserNum)
  await player.post('/api/mailbox/open', { letter })
  const later = new Date(site.clock.now().getTime() + 91 * DAY_MS)
  await cleanUp(db, 'letters', site.clock.now())
  assert.equal((await box(player)).letters.length, 1)
  await cleanUp(db, 'letters', later)
  assert.deepEqual(await db.selectFrom('letter_states').where('letter', '=', letter).selectAll().execute(), [])
})

test('sends a letter for a redeemed voucher, a refund and a changed password, but not for refused calls', async () => {
  const player = await join()
  const { owner } = player
  await player.post('/api/processCoupon', { ...owner, CouponCode: 'NOT-A-CODE' })
  assert.deepEqual(await subjects(player), [])
  const redeemed = await player.post('/api/processCoupon', { ...owner, CouponCode: 'DEMO-1000-AAAB' })
  assert.equal(redeemed.status, 200, redeemed.text)
  const item = await db
    .selectFrom('shop_items')
    .where('section', '=', 2)
    .where('price', '<', 1000)
    .select(['product_num', 'item_name'])
    .executeTakeFirstOrThrow()
  const bought = await player.post(`/api/buyitem?productnum=${item.product_num}`)
  assert.equal(bought.status, 200, bought.text)
  const { delivery } = await db
    .selectFrom('deliveries')
    .where('user_num', '=', player.user.UserNum)
    .select('delivery')
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    const units = await readUnits(tx, [delivery], 'locked')
    await refundUnits(tx, units, { now: site.clock.now(), actor: null })
  })
  await recordEvent(db, {
    userNum: player.user.UserNum,
    kind: 'password-changed',
    caller: { address: '127.0.0.1', device: '' },
    now: site.clock.now(),
  })
  const [changed, refunded, voucher] = (await box(player)).letters
  assert.equal(changed.subject, 'Your password was changed')
  assert.match(refunded.subject, /^You got [\d,]+ R-Coin back$/)
  assert.equal(voucher.subject, 'Your voucher was worth 1,000 R-Coin')
  const opened = (await player.post('/api/mailbox/open', { letter: refunded.letter })).json().letter
  assert.deepEqual([opened.link, opened.body.includes(item.item_name)], ['/shoppurchases', true])
})

test('sends a letter to each chosen player in one call, all or none', async () => {
  const gm = await findPlayer(site, 'gm')
  const [first, second, third] = [await join(), await join(), await join()]
  const letter = { subject: 'For the three of you', body: 'Thank you.', link: '/news' }
  const write = (players: number[], key: string) =>
    site.post('/api/admin/letters/chosen', { players, ...letter }, { ...gm.headers, 'Idempotency-Key': key })
  const all = [first, second].map(({ user }) => user.UserNum)
  assertRefused(await write([...all, 999_999_999], 'one-is-gone'), 409)
  assert.ok(!(await subjects(first)).includes(letter.subject))
  assert.equal((await write(all, 'two')).json().message, '2 letters are sent.')
  await write(all, 'two')
  for (const player of [first, second])
    assert.equal((await subjects(player)).filter((subject: string) => subject === letter.subject).length, 1)
  assert.ok(!(await subjects(third)).includes(letter.subject))
  const { rows } = (await gm.get('/api/admin/letters')).json()
  assert.deepEqual([rows[0].sent_by, rows[0].to, rows[0].subject], ['gm', 'player', letter.subject])
  assertRefused(
    await write(
      Array.from({ length: 51 }, (_, nth) => nth + 1),
      'too-many',
    ),
    422,
  )
  assertRefused(await site.post('/api/admin/letters/chosen', { players: all, ...letter }, first.headers), 403)
})

test('lets staff write to one player or to many, and lists sent letters with their recipients', async () => {
  const gm = await findPlayer(site, 'gm')
  const player = await join()
  const letter = { subject: 'Thank you', body: 'For the bug report.', link: '/news' }
  const write = (more: object) => gm.post('/api/admin/letters/send', { ...letter, ...more })
  assert.equal((await write({ to: 'player', user_id: player.form.userId.toUpperCase() })).status, 200)
  assert.equal((await write({ to: 'everyone' })).status, 200)
  assert.deepEqual(await subjects(player), ['Thank you', 'Thank you'])
  const wrong = [
    [{ to: 'player', user_id: 'nobody_here' }, 'user_id'],
    [{ to: 'player' }, 'user_id'],
    [{ to: 'levels', level_from: 10 }, 'level_to'],
    [{ to: 'levels', level_from: 10, level_to: 9 }, 'level_to'],
    [{ to: 'buyers', bought: 999_999 }, 'bought'],
    [{ to: 'everyone', subject: '' }, 'subject'],
    [{ to: 'everyone', link: 'https://elsewhere.example' }, 'link'],
  ] as const
  for (const [more, field] of wrong) {
    const refused = await write(more)
    assertRefused(refused, 422)
    assert.ok(refused.json()['form-error'][field], JSON.stringify(more))
  }
  const count = async (audience: object) => (await gm.post('/api/admin/letters/recipients', audience)).json().recipients
  const everyone = await count({ to: 'everyone' })
  assert.ok(everyone > 1000)
  const ofSchool = await Promise.all([0, 1, 2].map((school) => count({ to: 'school', school })))
  for (const some of ofSchool) assert.ok(some > 0 && some < everyone)
  const { rows } = (await gm.get('/api/admin/letters')).json()
  assert.deepEqual(
    rows.slice(0, 2).map((row: { to: string; sent_by: string }) => [row.to, row.sent_by]),
    [
      ['everyone', 'gm'],
      ['player', 'gm'],
    ],
  )
  const entry = await db.selectFrom('audit_log').where('action', '=', '/admin/letters/send').selectAll().execute()
  assert.equal(entry.length, 2)
  assert.doesNotMatch(JSON.stringify(entry), /bug report/)
})
