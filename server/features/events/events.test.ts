import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import { getWeekday, getWeekdays } from '#contract/events.ts'
import { toManilaDay } from '#contract/manila.ts'
import { assertRefused, newPlayer } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { newOperator } from '#test/desk-helpers.ts'
import { startDiscord } from '#test/discord.ts'
import { insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { runEvents, sweepReminders } from './jobs.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'empty' })
const { db, clock } = site
const writer = await newOperator(site, 'news')
const player = await newPlayer(site)
const discord = await startDiscord()

const at = (hours: number) => new Date(TEST_NOW.getTime() + hours * HOUR_MS).toISOString()

beforeEach(async () => {
  clock.set(TEST_NOW)
  await db.deleteFrom('events').execute()
  await db.deleteFrom('letters').execute()
  await db.deleteFrom('settings').execute()
  await db.deleteFrom('discord_posts').execute()
  await db
    .updateTable('sessions')
    .set({ last_seen_at: TEST_NOW, ends_at: new Date(TEST_NOW.getTime() + 400 * 24 * HOUR_MS) })
    .execute()
  site.cache.clear()
  discord.reset()
})

/** Returns the day in Manila of an event that begins in five hours and some days. */
const dayIn = (days: number) => toManilaDay(Date.parse(at(5 + days * 24)))

const CLUB_WAR = {
  event: null,
  version: 0,
  title: 'Club war',
  about: 'Three areas, one night.',
  picture: null,
  prize: 'The areas',
  board: null,
  news: null,
  starts_at: at(5),
  ends_at: at(7),
  repeats: 'once',
  weekdays: [] as number[],
  repeats_until: null,
  exceptions: [] as unknown[],
  visible: true,
  club_war: false,
  cancelled_why: '',
}
type Plan = Partial<Record<keyof typeof CLUB_WAR, unknown>>

const save = (plan: Plan) => writer.post('/api/admin/events/save', { ...CLUB_WAR, ...plan })
async function saved(plan: Plan = {}): Promise<{ event: number; version: number }> {
  const answer = await save(plan)
  assert.equal(answer.status, 200, answer.text)
  site.cache.clear()
  return answer.json()
}
const seen = async (path: string) => {
  site.cache.clear()
  return site.get(path)
}
const work = async (now = clock.now()) => {
  await runEvents({ db, now: () => now, signal: new AbortController().signal })
  await discord.deliver({ ...site, now: () => now })
}
const wish = (event: number, wanted = true) => player.post('/api/events/reminder', { event, wanted })
const letters = () => db.selectFrom('letters').select(['kind', 'to_num', 'subject', 'body', 'link']).execute()

test('shows a planned event at once in its week and month, among the next events and on its page', async () => {
  const { event } = await saved()
  const week = (await seen('/api/events?view=week')).json()
  assert.deepEqual(
    week.data.map(({ title, starts_at }: { title: string; starts_at: string }) => [title, starts_at]),
    [['Club war', at(5)]],
  )
  const month = (await seen('/api/events?view=month')).json()
  assert.deepEqual([month.first.slice(8), month.data.length], ['01', 1])
  assert.equal((await seen('/api/server-status')).json().events[0].event, event)
  const page = (await seen(`/api/events/${event}`)).json()
  assert.deepEqual([page.title, page.about, page.results], ['Club war', CLUB_WAR.about, []])
})

test('shows a weekly event in every week until its end', async () => {
  await saved({ repeats: 'weekly', repeats_until: at(5 + 14 * 24) })
  const dayIn = (weeks: number) => at(weeks * 7 * 24).slice(0, 10)
  const counts = await Promise.all(
    [0, 1, 2, 3].map(async (weeks) => (await seen(`/api/events?view=week&day=${dayIn(weeks)}`)).json().data.length),
  )
  assert.deepEqual(counts, [1, 1, 1, 0])
})

test('leaves ended events out of the next ones, and lists a weekly one with its next time', async () => {
  const { event } = await saved({ repeats: 'weekly' })
  await saved({ title: 'Quiz' })
  clock.advance(8 * HOUR_MS)
  const { events } = (await seen('/api/server-status')).json()
  assert.deepEqual(
    events.map((row: { event: number; starts_at: string }) => [row.event, row.starts_at]),
    [[event, at(5 + 7 * 24)]],
  )
})

test('shows a hidden event on no page', async () => {
  const { event } = await saved({ visible: false })
  assert.equal((await seen(`/api/events/${event}`)).status, 404)
  assert.equal((await seen(`/events/${event}.ics`)).status, 404)
  assert.deepEqual((await seen('/api/events')).json().data, [])
  assert.doesNotMatch((await seen('/events.ics')).text, /VEVENT/)
})

test('an event links only to news that readers may see', async () => {
  const out = await insertNews(db, { subject: 'War' })
  const { event } = await saved({ news: out })
  assert.equal((await seen(`/api/events/${event}`)).json().news, out)
  await db.updateTable('news').set({ published: false }).where('id', '=', out).execute()
  assert.equal((await seen(`/api/events/${event}`)).json().news, null)
  assertRefused(await save({ news: 999_999 }), 422)
})

test('refuses impossible dates with an error at their field', async () => {
  for (const [plan, field] of [
    [{ ends_at: at(5) }, 'ends_at'],
    [{ ends_at: at(24 * 70) }, 'ends_at'],
    [{ ends_at: at(24 * 8), repeats: 'weekly' }, 'ends_at'],
    [{ repeats: 'weekly', repeats_until: at(4) }, 'repeats_until'],
    [{ repeats: 'daily', ends_at: at(30) }, 'ends_at'],
    [{ repeats: 'weekly', weekdays: [(getWeekday(at(5)) + 1) % 7] }, 'weekdays'],
    [{ repeats: 'weekly', exceptions: [{ day: dayIn(1), starts_at: null }] }, 'exceptions'],
    [{ repeats: 'weekly', exceptions: [{ day: dayIn(7), starts_at: at(24 * 20) }] }, 'exceptions'],
  ] as const) {
    const refused = await save(plan)
    assertRefused(refused, 422)
    assert.deepEqual(Object.keys(refused.json()['form-error']), [field])
  }
})

test('an event on several weekdays has one entry in the calendar, with its days off and moved times', async () => {
  const weekdays = [0, 3].map((later) => (getWeekday(at(5)) + later) % 7)
  const { event } = await saved({
    repeats: 'weekly',
    weekdays,
    exceptions: [
      { day: dayIn(3), starts_at: null },
      { day: dayIn(7), starts_at: at(7 * 24 + 8) },
    ],
  })
  const page = (await seen(`/api/events/${event}`)).json()
  assert.deepEqual([page.weekdays, page.exceptions.length], [weekdays, 2])
  const unfolded = (await seen(`/events/${event}.ics`)).text.replaceAll('\r\n ', '')
  const utc = (hours: number) => at(hours).replaceAll(/[-:]|\.000/g, '')
  // It begins at 02:42 in Manila on Saturday and Tuesday, which is Friday and Monday in UTC.
  assert.deepEqual(getWeekdays({ weekdays, starts_at: at(5) }), [2, 6])
  assert.match(unfolded, /RRULE:FREQ=WEEKLY;BYDAY=MO,FR\r\n/)
  assert.match(unfolded, new RegExp(`EXDATE:${utc(5 + 3 * 24)}\r\n`))
  assert.match(unfolded, new RegExp(`RECURRENCE-ID:${utc(5 + 7 * 24)}\r\n`))
  assert.match(unfolded, new RegExp(`DTSTART:${utc(8 + 7 * 24)}\r\n`))
  assert.equal(unfolded.match(/UID:/g)?.length, 2)
})

test('the database finds the same times of a club war as the calendar', async () => {
  const starts = [0, 3].map((later) => (getWeekday(at(5)) + later) % 7)
  await saved({
    repeats: 'weekly',
    weekdays: starts,
    club_war: true,
    exceptions: [
      { day: dayIn(3), starts_at: null },
      { day: dayIn(7), starts_at: at(7 * 24 + 9) },
    ],
  })
  const isNear = async (hours: number) =>
    (await sql<{ near: boolean }>`select is_club_war_near(${at(hours)}::timestamptz) as near`.execute(db)).rows[0]?.near
  const hours = [4.8, 4.9, 6.9, 7, 3 * 24 + 6, 7 * 24 + 6, 7 * 24 + 10, 10 * 24 + 6, 11 * 24 + 6]
  assert.deepEqual(await Promise.all(hours.map(isNear)), [false, true, true, false, false, false, true, true, false])
})

test('ends a reminder of a single time after that time', async () => {
  const { event } = await saved({ repeats: 'daily' })
  await player.post('/api/events/reminder', { event, wanted: true, every: false })
  assert.deepEqual((await player.get(`/api/events/${event}/reminder`)).json(), { wanted: true, every: false })
  await work(new Date(at(4)))
  await work(new Date(at(28)))
  assert.equal((await letters()).length, 1)
  assert.equal((await player.get(`/api/events/${event}/reminder`)).json().wanted, false)
})

test('a result is entered for each time of a daily event', async () => {
  const { event } = await saved({ repeats: 'daily', exceptions: [{ day: dayIn(1), starts_at: at(32) }] })
  clock.set(at(60))
  await db.updateTable('sessions').set({ last_seen_at: clock.now() }).execute()
  const enter = (hours: number) =>
    writer.post('/api/admin/events/result', { event, starts_at: at(hours), result: 'Won.' })
  assert.equal((await enter(5)).status, 200)
  assert.equal((await enter(32)).status, 200)
  assertRefused(await enter(29), 422)
  const { ended } = (await writer.get(`/api/admin/events/${event}`)).json()
  assert.deepEqual(ended, [at(53), at(32), at(5)])
})

test('reports a conflict to the second of two operators who change the same event', async () => {
  const first = await saved()
  await saved({ ...first, title: 'Great club war' })
  assertRefused(await save({ ...first, title: 'War of clubs' }), 409)
})

test('sends one letter to each subscriber an hour before, and to no other player', async () => {
  const { event } = await saved()
  assert.equal((await wish(event)).status, 200)
  await work(new Date(at(3.9)))
  assert.deepEqual(await letters(), [])
  await work(new Date(at(4)))
  await work(new Date(at(4.5)))
  const [letter, ...more] = await letters()
  assert.deepEqual([letter?.to_num, letter?.kind, letter?.link], [player.user.UserNum, 'event', `/events/${event}`])
  assert.match(letter?.subject ?? '', /Club war begins soon/)
  assert.deepEqual(more, [])
})

test('reminds of each time of a weekly event until the subscriber stops it', async () => {
  const { event } = await saved({ repeats: 'weekly' })
  await wish(event)
  await work(new Date(at(4)))
  await work(new Date(at(4 + 7 * 24)))
  assert.equal((await letters()).length, 2)
  assert.equal((await player.get(`/api/events/${event}/reminder`)).json().wanted, true)
  await wish(event, false)
  assert.equal((await player.get(`/api/events/${event}/reminder`)).json().wanted, false)
  await work(new Date(at(4 + 14 * 24)))
  assert.equal((await letters()).length, 2)
})

test('sends a second reminder after a change of the time, but not after a change of the text', async () => {
  const planned = await saved()
  await wish(planned.event)
  await work(new Date(at(4)))
  clock.set(at(4.2))
  const changed = await saved({ ...planned, about: 'Bring potions.' })
  await work()
  assert.equal((await letters()).length, 1)
  await saved({ ...changed, starts_at: at(9), ends_at: at(10) })
  await work(new Date(at(8)))
  assert.equal((await letters()).length, 2)
})

test('skips a reminder that is too late after downtime, and sends the next week’s', async () => {
  const { event } = await saved({ repeats: 'weekly' })
  await wish(event)
  await work(new Date(at(6)))
  assert.deepEqual(await letters(), [])
  await work(new Date(at(4 + 7 * 24)))
  assert.equal((await letters()).length, 1)
})

test('a cancelled event stays on its page with the reason, notifies its subscribers and sends no reminder', async () => {
  const planned = await saved()
  await wish(planned.event)
  await saved({ ...planned, cancelled_why: 'No power at the venue.' })
  const [letter] = await letters()
  assert.match(`${letter?.subject} ${letter?.body}`, /Cancelled: Club war .* No power at the venue/)
  assert.equal((await seen(`/api/events/${planned.event}`)).json().cancelled_why, 'No power at the venue.')
  assert.deepEqual((await seen('/api/server-status')).json().events, [])
  await work(new Date(at(4)))
  assert.equal((await letters()).length, 1)
  assertRefused(await wish(planned.event), 409)
})

test('refuses reminders of past, hidden or unknown events', async () => {
  const { event } = await saved()
  const { event: hidden } = await saved({ visible: false })
  clock.advance(8 * HOUR_MS)
  assertRefused(await wish(event), 409)
  assertRefused(await wish(hidden), 404)
  assertRefused(await wish(999_999), 404)
})

test('deletes the reminders of an event a day after its end', async () => {
  const { event } = await saved()
  await wish(event)
  const left = async (hours: number) => {
    await sweepReminders(db, new Date(at(hours)))
    return (await db.selectFrom('event_reminders').selectAll().execute()).length
  }
  assert.equal(await left(30.9), 1)
  assert.equal(await left(31.1), 0)
})

test('a result can be entered for a time that has begun, is shown on its page, and can be removed', async () => {
  const { event } = await saved({ repeats: 'weekly' })
  const enter = (starts_at: string, result: string) =>
    writer.post('/api/admin/events/result', { event, starts_at, result })
  assertRefused(await enter(at(5), 'Phoenix won.'), 422)
  clock.advance(7 * HOUR_MS)
  assertRefused(await enter(at(6), 'Phoenix won.'), 422)
  assert.deepEqual((await writer.get(`/api/admin/events/${event}`)).json().ended, [at(5)])
  assert.equal((await enter(at(5), 'Phoenix won.')).status, 200)
  assert.equal((await enter(at(5), 'Mystic Peak won.')).status, 200)
  assert.deepEqual((await seen(`/api/events/${event}`)).json().results, [
    { starts_at: at(5), result: 'Mystic Peak won.' },
  ])
  await enter(at(5), '')
  assert.deepEqual((await seen(`/api/events/${event}`)).json().results, [])
})

test('notifies Discord once each of planned, starting and cancelled events', async () => {
  await discord.connect(db, 'events')
  const planned = await saved({ title: 'Club *war*' })
  await work()
  await work()
  await work(new Date(at(4)))
  await saved({ ...planned, title: 'Club *war*', cancelled_why: 'Rain.' })
  await work(new Date(at(4.1)))
  const stamp = Date.parse(at(5)) / 1000
  const address = `${site.publicUrl}/events/${planned.event}`
  assert.deepEqual(discord.posts, [
    `Club \\*war\\*\n<t:${stamp}:F>\n${address}`,
    `Club \\*war\\* begins soon\nIt begins <t:${stamp}:R>.\n${address}`,
    `Club \\*war\\* is cancelled\nRain.\n${address}`,
  ])
})

test('a moved event changes its message on Discord, and a hidden one deletes it', async () => {
  await discord.connect(db, 'events')
  const planned = await saved()
  await work()
  const moved = await saved({ ...planned, starts_at: at(6), ends_at: at(8) })
  await work()
  await saved({ ...moved, starts_at: at(6), ends_at: at(8), visible: false })
  await work()
  const [posted, edited, deleted] = discord.requests
  assert.deepEqual(
    discord.requests.map(({ method }) => method),
    ['POST', 'PATCH', 'DELETE'],
  )
  assert.equal(posted?.path, '/hook?wait=true')
  assert.match(edited?.path ?? '', /^\/hook\/messages\/\d+$/)
  assert.equal(edited?.body.embeds?.[0]?.timestamp, at(6))
  assert.equal(deleted?.path, edited?.path)
})

test('posts a club war and its result to the channel of wars', async () => {
  await discord.connect(db, 'events')
  await discord.connect(db, 'wars', 'wars')
  const { event } = await saved({ club_war: true })
  clock.set(at(6))
  const result = { event, starts_at: at(5), result: 'Phoenix won.' }
  assert.equal((await writer.post('/api/admin/events/result', result)).status, 200)
  await work()
  assert.deepEqual(
    discord.requests.map(({ path, body }) => [path, body.embeds?.[0]?.description]),
    [
      ['/wars?wait=true', `<t:${Date.parse(at(5)) / 1000}:F>`],
      ['/wars?wait=true', 'Phoenix won.'],
    ],
  )
})

test('retries a message that Discord refused, unless it is outdated', async () => {
  await discord.connect(db, 'events')
  const hidden = await saved({ title: 'Quiz' })
  await saved()
  await saved({ ...hidden, title: 'Quiz', visible: false })
  discord.isOpen = false
  await work()
  await work(new Date(at(4)))
  discord.isOpen = true
  await work(new Date(at(4.1)))
  assert.deepEqual(
    discord.posts.map((text) => text.split('\n')[0]),
    ['Club war', 'Club war begins soon'],
  )
})

test('the calendar has every event with its rule, escaped and folded as in RFC 5545', async () => {
  const { event } = await saved({
    title: 'Club war; round 1, ñandu',
    about: `First line\n${'ñ'.repeat(80)}`,
    repeats: 'weekly',
    repeats_until: at(5 + 28 * 24),
  })
  await saved({ title: 'Quiz', cancelled_why: 'Rain.' })
  const { status, text, headers } = await seen('/events.ics')
  assert.equal(status, 200)
  assert.match(headers.get('Content-Type') ?? '', /^text\/calendar/)
  const lines = text.split('\r\n')
  assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75))
  const unfolded = text.replaceAll('\r\n ', '')
  const utc = (hours: number) => at(hours).replaceAll(/[-:]|\.000/g, '')
  assert.match(unfolded, /SUMMARY:Club war\\; round 1\\, ñandu\r\n/)
  assert.match(unfolded, new RegExp(`DTSTART:${utc(5)}\r\nDTEND:${utc(7)}\r\n`))
  assert.match(unfolded, new RegExp(`RRULE:FREQ=WEEKLY;UNTIL=${utc(5 + 28 * 24)}\r\n`))
  assert.match(unfolded, new RegExp(`DESCRIPTION:First line\\\\n${'ñ'.repeat(80)}`))
  assert.match(unfolded, /STATUS:CANCELLED/)
  const one = (await seen(`/events/${event}.ics`)).text
  assert.deepEqual([one.match(/BEGIN:VEVENT/g)?.length, one.includes('Quiz')], [1, false])
})

test('records every change at the desk in the audit log', async () => {
  const planned = await saved()
  await saved({ ...planned, title: 'Great club war' })
  const rows = await db
    .selectFrom('audit_log')
    .where('target_kind', '=', 'event')
    .where('target_id', '=', String(planned.event))
    .select(['action', 'changes'])
    .execute()
  assert.equal(rows.length, 2)
  assert.match(JSON.stringify(rows[1]?.changes), /"field":"title"/)
})

test('prompts a visitor to log in', async () => {
  assert.equal((await site.post('/api/events/reminder', { event: 1, wanted: true })).status, 401)
})
