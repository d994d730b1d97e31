import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { LETTER_PLAYERS_MAX, LETTER_RETENTION_MS } from '#contract/limits.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { readUnits, refundUnits } from '#server/features/orders/refund.ts'
import { assertRefused, createPlayer, openPlayerSession, type Player } from '#test/account-helpers.ts'
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
const readMailbox = async (player: Player, after = '') => (await player.get(`/api/mailbox?after=${after}`)).json()
const readSubjects = async (player: Player) =>
  (await readMailbox(player)).letters.map(({ subject }: { subject: string }) => subject) as string[]
const countUnread = async (player: Player) => (await player.get('/api/mailbox/unread')).json().unread
/** Creates a player whose account is newer than earlier letters and as old as the next one. */
const createReader = async () => {
  site.clock.advance(1000)
  const player = await createPlayer(site)
  await updateRows(db, 'accounts', { user_num: player.user.UserNum }, { created_at: site.clock.now() })
  return player
}

test('only the addressed player can see, read and delete a letter', async () => {
  const [ana, ben] = [await createReader(), await createReader()]
  const letter = await send(ana.user.UserNum, 'Refunded')
  assert.deepEqual([await countUnread(ana), await countUnread(ben)], [1, 0])
  assertRefused(await ben.post('/api/mailbox/open', { letter }), 404)
  assertRefused(await ben.post('/api/mailbox/delete', { letter }), 404)
  const opened = (await ana.post('/api/mailbox/open', { letter })).json()
  assert.deepEqual([opened.letter.body, opened.letter.read, opened.unread], ['Words.', true, 0])
  assert.equal((await ana.post('/api/mailbox/delete', { letter })).json().unread, 0)
  assert.deepEqual(await readSubjects(ana), [])
  assertRefused(await ana.post('/api/mailbox/open', { letter }), 404)
})

test('a letter to everyone is stored once, and only accounts that are older than it get it', async () => {
  const [ana, ben] = [await createReader(), await createReader()]
  const letter = await send({}, 'Maintenance tonight')
  site.clock.advance(1000)
  const laterPlayer = await createReader()
  assert.deepEqual([await countUnread(ana), await countUnread(ben), await countUnread(laterPlayer)], [1, 1, 0])
  await ana.post('/api/mailbox/delete', { letter })
  assert.deepEqual([await readSubjects(ana), await readSubjects(ben)], [[], ['Maintenance tonight']])
  const states = await db.selectFrom('letter_states').where('letter', '=', letter).selectAll().execute()
  assert.equal(states.length, 1)
})

test('sends a letter to players of a level or school, or with an earlier purchase', async () => {
  const player = await createReader()
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
  const cases: [Audience, boolean][] = [
    [{ levels: { from: 100, to: 120 } }, true],
    [{ levels: { from: 121, to: 200 } }, false],
    [{ school: 2 }, true],
    [{ school: 1 }, false],
    [{ bought: 1 }, true],
    [{ bought: 2 }, false],
    [{ school: 2, bought: 2 }, false],
  ]
  for (const [audience] of cases) await send(audience, JSON.stringify(audience))
  await buy(2, 2)
  const reachedAudiences = cases.filter(([, isReached]) => isReached).map(([audience]) => JSON.stringify(audience))
  assert.deepEqual((await readSubjects(player)).sort(), reachedAudiences.sort())
  assert.equal(await countUnread(player), reachedAudiences.length)
})

test('pages through the list without gaps, and counts up to 100 for the badge', async () => {
  const player = await createReader()
  for (let n = 1; n <= 103; n++) await send(n % 2 === 0 ? {} : player.user.UserNum, `Letter ${n}`)
  assert.equal(await countUnread(player), 100)
  const pagedSubjects: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const page: { letters: { subject: string }[]; next: string | null } = await readMailbox(player, after)
    pagedSubjects.push(...page.letters.map(({ subject }) => subject))
    after = page.next
  }
  assert.deepEqual(
    pagedSubjects,
    Array.from({ length: 103 }, (_, n) => `Letter ${103 - n}`),
  )
})

test('marks all stored letters as read, but not a letter with a smaller number that is committed later', async () => {
  const player = await createReader()
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
  assert.equal(await countUnread(player), 1)
})

test('a clean-up deletes expired letters with their read marks', async () => {
  const player = await createReader()
  const letter = await send(player.user.UserNum)
  await player.post('/api/mailbox/open', { letter })
  const later = new Date(site.clock.now().getTime() + LETTER_RETENTION_MS + DAY_MS)
  await runCleanUp(db, 'letters', site.clock.now())
  assert.equal((await readMailbox(player)).letters.length, 1)
  await runCleanUp(db, 'letters', later)
  assert.deepEqual(await db.selectFrom('letter_states').where('letter', '=', letter).selectAll().execute(), [])
})

test('sends a letter for a redeemed voucher, a refund and a new password, not for refusals', async () => {
  const player = await createReader()
  const { owner } = player
  await player.post('/api/processCoupon', { ...owner, CouponCode: 'NOT-A-CODE' })
  assert.deepEqual(await readSubjects(player), [])
  const voucherResponse = await player.post('/api/processCoupon', { ...owner, CouponCode: 'DEMO-1000-AAAB' })
  assert.equal(voucherResponse.status, 200, voucherResponse.text)
  const item = await db
    .selectFrom('shop_items')
    .where('section', '=', 2)
    .where('price', '<', 1000)
    .select(['product_num', 'item_name'])
    .executeTakeFirstOrThrow()
  const response = await player.post(`/api/buyitem?productnum=${item.product_num}`)
  assert.equal(response.status, 200, response.text)
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
  const [passwordLetter, refundLetter, voucherLetter] = (await readMailbox(player)).letters
  assert.equal(passwordLetter.subject, 'Your password was changed')
  assert.match(refundLetter.subject, /^You got [\d,]+ R-Coin back$/)
  assert.equal(voucherLetter.subject, 'Your voucher was worth 1,000 R-Coin')
  const opened = (await player.post('/api/mailbox/open', { letter: refundLetter.letter })).json().letter
  assert.deepEqual([opened.link, opened.body.includes(item.item_name)], ['/shoppurchases', true])
})

test('sends a letter to each chosen player in one call, all or none', async () => {
  const gm = await openPlayerSession(site, 'gm')
  const [firstPlayer, secondPlayer, thirdPlayer] = [await createReader(), await createReader(), await createReader()]
  const letter = { subject: 'For the three of you', body: 'Thank you.', link: '/news' }
  const sendLetters = (players: number[], key: string) =>
    site.post('/api/admin/letters/chosen', { players, ...letter }, { ...gm.headers, 'Idempotency-Key': key })
  const chosenPlayers = [firstPlayer, secondPlayer].map(({ user }) => user.UserNum)
  assertRefused(await sendLetters([...chosenPlayers, 999_999_999], 'one-is-gone'), 409)
  assert.ok(!(await readSubjects(firstPlayer)).includes(letter.subject))
  assert.equal((await sendLetters(chosenPlayers, 'two')).json().message, '2 letters are sent.')
  await sendLetters(chosenPlayers, 'two')
  for (const player of [firstPlayer, secondPlayer])
    assert.equal((await readSubjects(player)).filter((subject: string) => subject === letter.subject).length, 1)
  assert.ok(!(await readSubjects(thirdPlayer)).includes(letter.subject))
  const { rows } = (await gm.get('/api/admin/letters')).json()
  assert.deepEqual([rows[0].sent_by, rows[0].to, rows[0].subject], ['gm', 'player', letter.subject])
  assertRefused(
    await sendLetters(
      Array.from({ length: LETTER_PLAYERS_MAX + 1 }, (_, index) => index + 1),
      'too-many',
    ),
    422,
  )
  assertRefused(
    await site.post('/api/admin/letters/chosen', { players: chosenPlayers, ...letter }, firstPlayer.headers),
    403,
  )
})

test('lets staff write to one player or to many, and lists sent letters with their recipients', async () => {
  const gm = await openPlayerSession(site, 'gm')
  const player = await createReader()
  const letter = { subject: 'Thank you', body: 'For the bug report.', link: '/news' }
  const sendLetters = (fields: object) => gm.post('/api/admin/letters/send', { ...letter, ...fields })
  assert.equal((await sendLetters({ to: 'player', user_id: player.form.userId.toUpperCase() })).status, 200)
  assert.equal((await sendLetters({ to: 'everyone' })).status, 200)
  assert.deepEqual(await readSubjects(player), ['Thank you', 'Thank you'])
  const invalidFields = [
    [{ to: 'player', user_id: 'nobody_here' }, 'user_id'],
    [{ to: 'player' }, 'user_id'],
    [{ to: 'levels', level_from: 10 }, 'level_to'],
    [{ to: 'levels', level_from: 10, level_to: 9 }, 'level_to'],
    [{ to: 'buyers', bought: 999_999 }, 'bought'],
    [{ to: 'everyone', subject: '' }, 'subject'],
    [{ to: 'everyone', link: 'https://elsewhere.example' }, 'link'],
  ] as const
  for (const [fields, field] of invalidFields) {
    const response = await sendLetters(fields)
    assertRefused(response, 422)
    assert.ok(response.json()['form-error'][field], JSON.stringify(fields))
  }
  const countRecipients = async (audience: object) =>
    (await gm.post('/api/admin/letters/recipients', audience)).json().recipients
  const everyoneCount = await countRecipients({ to: 'everyone' })
  assert.ok(everyoneCount > 1000)
  const schoolCounts = await Promise.all([0, 1, 2].map((school) => countRecipients({ to: 'school', school })))
  for (const schoolCount of schoolCounts) assert.ok(schoolCount > 0 && schoolCount < everyoneCount)
  const { rows } = (await gm.get('/api/admin/letters')).json()
  assert.deepEqual(
    rows.slice(0, 2).map((row: { to: string; sent_by: string }) => [row.to, row.sent_by]),
    [
      ['everyone', 'gm'],
      ['player', 'gm'],
    ],
  )
  const auditEntries = await db
    .selectFrom('audit_log')
    .where('action', '=', '/admin/letters/send')
    .selectAll()
    .execute()
  assert.equal(auditEntries.length, 2)
  assert.doesNotMatch(JSON.stringify(auditEntries), /bug report/)
})
