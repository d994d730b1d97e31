import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import { getWeekday, getWeekdays } from '#contract/events.ts'
import { toManilaDay } from '#contract/manila.ts'
import { assertRefused, createPlayer } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { startDiscord } from '#test/discord.ts'
import { insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { sendDueReminders, sweepReminders } from './jobs.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'empty' })
const { db, clock } = site
const writer = await createOperator(site, 'news')
const player = await createPlayer(site)
const discord = await startDiscord()

/** Returns the time some hours after the start of the test. */
const hoursFromNow = (hours: number) => new Date(TEST_NOW.getTime() + hours * HOUR_MS).toISOString()

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

/** Returns the day in Manila that is `days` days after the first day of `CLUB_WAR`. */
const getEventDay = (days: number) => toManilaDay(Date.parse(hoursFromNow(5 + days * 24)))

/** Returns the weekdays in Manila that are this many days after the first day of `CLUB_WAR`. */
const getWeekdaysAfter = (...offsets: number[]) =>
  offsets.map((offset) => (getWeekday(CLUB_WAR.starts_at) + offset) % 7)
const formatCalendarTime = (hours: number) => hoursFromNow(hours).replaceAll(/[-:]|\.000/g, '')

const CLUB_WAR = {
  event: null,
  version: 0,
  title: 'Club war',
  about: 'Three areas, one night.',
  picture: null,
  prize: 'The areas',
  board: null,
  news: null,
  starts_at: hoursFromNow(5),
  ends_at: hoursFromNow(7),
  repeats: 'once',
  weekdays: [] as number[],
  repeats_until: null,
  exceptions: [] as unknown[],
  visible: true,
  club_war: false,
  cancelled_why: '',
}
type EventValues = Partial<Record<keyof typeof CLUB_WAR, unknown>>

const requestSave = (plan: EventValues) => writer.post('/api/admin/events/save', { ...CLUB_WAR, ...plan })
async function saveEvent(plan: EventValues = {}): Promise<{ event: number; version: number }> {
  const answer = await requestSave(plan)
  assert.equal(answer.status, 200, answer.text)
  site.cache.clear()
  return answer.json()
}
const readFresh = async (path: string) => {
  site.cache.clear()
  return site.get(path)
}
const runJobs = async (now = clock.now()) => {
  await sendDueReminders({ db, now: () => now, signal: new AbortController().signal })
  await discord.deliver({ ...site, now: () => now })
}
const setReminder = (event: number, wanted = true) => player.post('/api/events/reminder', { event, wanted })
const selectLetters = () => db.selectFrom('letters').select(['kind', 'to_num', 'subject', 'body', 'link']).execute()

test('shows a new event at once in its week and month, among the next events and on its page', async () => {
  const { event } = await saveEvent()
  const week = (await readFresh('/api/events?view=week')).json()
  assert.deepEqual(
    week.data.map(({ title, starts_at }: { title: string; starts_at: string }) => [title, starts_at]),
    [['Club war', hoursFromNow(5)]],
  )
  const month = (await readFresh('/api/events?view=month')).json()
  assert.deepEqual([month.first.slice(8), month.data.length], ['01', 1])
  assert.equal((await readFresh('/api/server-status')).json().events[0].event, event)
  const page = (await readFresh(`/api/events/${event}`)).json()
  assert.deepEqual([page.title, page.about, page.results], ['Club war', CLUB_WAR.about, []])
})

test('shows a weekly event in every week until its end', async () => {
  await saveEvent({ repeats: 'weekly', repeats_until: hoursFromNow(5 + 14 * 24) })
  const getDayAfterWeeks = (weeks: number) => hoursFromNow(weeks * 7 * 24).slice(0, 10)
  const counts = await Promise.all(
    [0, 1, 2, 3].map(
      async (weeks) => (await readFresh(`/api/events?view=week&day=${getDayAfterWeeks(weeks)}`)).json().data.length,
    ),
  )
  assert.deepEqual(counts, [1, 1, 1, 0])
})

test('lists no ended event among the next events, and a weekly event with its next occurrence', async () => {
  const { event } = await saveEvent({ repeats: 'weekly' })
  await saveEvent({ title: 'Quiz' })
  clock.advance(8 * HOUR_MS)
  const { events } = (await readFresh('/api/server-status')).json()
  assert.deepEqual(
    events.map((row: { event: number; starts_at: string }) => [row.event, row.starts_at]),
    [[event, hoursFromNow(5 + 7 * 24)]],
  )
})

test('shows a hidden event on no page', async () => {
  const { event } = await saveEvent({ visible: false })
  assert.equal((await readFresh(`/api/events/${event}`)).status, 404)
  assert.equal((await readFresh(`/events/${event}.ics`)).status, 404)
  assert.deepEqual((await readFresh('/api/events')).json().data, [])
  assert.doesNotMatch((await readFresh('/events.ics')).text, /VEVENT/)
})

test('an event links only to news that readers may see', async () => {
  const newsId = await insertNews(db, { subject: 'War' })
  const { event } = await saveEvent({ news: newsId })
  assert.equal((await readFresh(`/api/events/${event}`)).json().news, newsId)
  await db.updateTable('news').set({ published: false }).where('id', '=', newsId).execute()
  assert.equal((await readFresh(`/api/events/${event}`)).json().news, null)
  assertRefused(await requestSave({ news: 999_999 }), 422)
})

test('refuses impossible dates with an error at their field', async () => {
  for (const [plan, field] of [
    [{ ends_at: hoursFromNow(5) }, 'ends_at'],
    [{ ends_at: hoursFromNow(24 * 70) }, 'ends_at'],
    [{ ends_at: hoursFromNow(24 * 8), repeats: 'weekly' }, 'ends_at'],
    [{ repeats: 'weekly', repeats_until: hoursFromNow(4) }, 'repeats_until'],
    [{ repeats: 'daily', ends_at: hoursFromNow(30) }, 'ends_at'],
    [{ repeats: 'weekly', weekdays: getWeekdaysAfter(1) }, 'weekdays'],
    [{ repeats: 'weekly', exceptions: [{ day: getEventDay(1), starts_at: null }] }, 'exceptions'],
    [{ repeats: 'weekly', exceptions: [{ day: getEventDay(7), starts_at: hoursFromNow(24 * 20) }] }, 'exceptions'],
  ] as const) {
    const response = await requestSave(plan)
    assertRefused(response, 422)
    assert.deepEqual(Object.keys(response.json()['form-error']), [field])
  }
})

test('an event on several weekdays is one calendar rule with its days off and moved times', async () => {
  const weekdays = getWeekdaysAfter(0, 3)
  const { event } = await saveEvent({
    repeats: 'weekly',
    weekdays,
    exceptions: [
      { day: getEventDay(3), starts_at: null },
      { day: getEventDay(7), starts_at: hoursFromNow(7 * 24 + 8) },
    ],
  })
  const page = (await readFresh(`/api/events/${event}`)).json()
  assert.deepEqual([page.weekdays, page.exceptions.length], [weekdays, 2])
  const unfolded = (await readFresh(`/events/${event}.ics`)).text.replaceAll('\r\n ', '')
  // It begins at 02:42 in Manila on Saturday and Tuesday, which is Friday and Monday in UTC.
  assert.deepEqual(getWeekdays({ weekdays, starts_at: hoursFromNow(5) }), [2, 6])
  assert.match(unfolded, /RRULE:FREQ=WEEKLY;BYDAY=MO,FR\r\n/)
  assert.match(unfolded, new RegExp(`EXDATE:${formatCalendarTime(5 + 3 * 24)}\r\n`))
  assert.match(unfolded, new RegExp(`RECURRENCE-ID:${formatCalendarTime(5 + 7 * 24)}\r\n`))
  assert.match(unfolded, new RegExp(`DTSTART:${formatCalendarTime(8 + 7 * 24)}\r\n`))
  assert.equal(unfolded.match(/UID:/g)?.length, 2)
})

test('a club war is near from 10 minutes before each occurrence until its end', async () => {
  await saveEvent({
    repeats: 'weekly',
    weekdays: getWeekdaysAfter(0, 3),
    club_war: true,
    exceptions: [
      { day: getEventDay(3), starts_at: null },
      { day: getEventDay(7), starts_at: hoursFromNow(7 * 24 + 9) },
    ],
  })
  const isWarNear = async (hours: number) =>
    (await sql<{ near: boolean }>`select is_club_war_near(${hoursFromNow(hours)}::timestamptz) as near`.execute(db))
      .rows[0]?.near
  const cases: [hours: number, isNear: boolean][] = [
    [4.8, false],
    [4.9, true],
    [6.9, true],
    [7, false],
    [3 * 24 + 6, false],
    [7 * 24 + 6, false],
    [7 * 24 + 10, true],
    [10 * 24 + 6, true],
    [11 * 24 + 6, false],
  ]
  for (const [hours, isNear] of cases) assert.equal(await isWarNear(hours), isNear, `after ${hours} hours`)
})

test('a reminder of a single occurrence is sent once', async () => {
  const { event } = await saveEvent({ repeats: 'daily' })
  await player.post('/api/events/reminder', { event, wanted: true, every: false })
  assert.deepEqual((await player.get(`/api/events/${event}/reminder`)).json(), { wanted: true, every: false })
  await runJobs(new Date(hoursFromNow(4)))
  await runJobs(new Date(hoursFromNow(28)))
  assert.equal((await selectLetters()).length, 1)
  assert.equal((await player.get(`/api/events/${event}/reminder`)).json().wanted, false)
})

test('a result can be entered for each occurrence of a daily event, also a moved one', async () => {
  const { event } = await saveEvent({
    repeats: 'daily',
    exceptions: [{ day: getEventDay(1), starts_at: hoursFromNow(32) }],
  })
  clock.set(hoursFromNow(60))
  await db.updateTable('sessions').set({ last_seen_at: clock.now() }).execute()
  const enterResult = (hours: number) =>
    writer.post('/api/admin/events/result', { event, starts_at: hoursFromNow(hours), result: 'Won.' })
  assert.equal((await enterResult(5)).status, 200)
  assert.equal((await enterResult(32)).status, 200)
  assertRefused(await enterResult(29), 422)
  const { ended } = (await writer.get(`/api/admin/events/${event}`)).json()
  assert.deepEqual(ended, [hoursFromNow(53), hoursFromNow(32), hoursFromNow(5)])
})

test('reports a conflict to the second of two operators who change the same event', async () => {
  const firstVersion = await saveEvent()
  await saveEvent({ ...firstVersion, title: 'Great club war' })
  assertRefused(await requestSave({ ...firstVersion, title: 'War of clubs' }), 409)
})

test('refuses a week of a day that does not exist', async () => {
  assertRefused(await site.get('/api/events?day=2026-02-30'), 422, 'Enter a day such as 2026-12-31.')
  assertRefused(await site.get('/api/events?view=month&day=2026-13-01'), 422, 'Enter a day such as 2026-12-31.')
})

test('sends one letter to each subscriber an hour before, and to no other player', async () => {
  const { event } = await saveEvent()
  assert.equal((await setReminder(event)).status, 200)
  await runJobs(new Date(hoursFromNow(3.9)))
  assert.deepEqual(await selectLetters(), [])
  await runJobs(new Date(hoursFromNow(4)))
  await runJobs(new Date(hoursFromNow(4.5)))
  const [letter, ...otherLetters] = await selectLetters()
  assert.deepEqual([letter?.to_num, letter?.kind, letter?.link], [player.user.UserNum, 'event', `/events/${event}`])
  assert.match(letter?.subject ?? '', /Club war begins soon/)
  assert.deepEqual(otherLetters, [])
})

test('reminds of each occurrence of a weekly event until the player stops it', async () => {
  const { event } = await saveEvent({ repeats: 'weekly' })
  await setReminder(event)
  await runJobs(new Date(hoursFromNow(4)))
  await runJobs(new Date(hoursFromNow(4 + 7 * 24)))
  assert.equal((await selectLetters()).length, 2)
  assert.equal((await player.get(`/api/events/${event}/reminder`)).json().wanted, true)
  await setReminder(event, false)
  assert.equal((await player.get(`/api/events/${event}/reminder`)).json().wanted, false)
  await runJobs(new Date(hoursFromNow(4 + 14 * 24)))
  assert.equal((await selectLetters()).length, 2)
})

test('sends a second reminder after a change of the time, not after a change of the text', async () => {
  const plannedEvent = await saveEvent()
  await setReminder(plannedEvent.event)
  await runJobs(new Date(hoursFromNow(4)))
  clock.set(hoursFromNow(4.2))
  const changedEvent = await saveEvent({ ...plannedEvent, about: 'Bring potions.' })
  await runJobs()
  assert.equal((await selectLetters()).length, 1)
  await saveEvent({ ...changedEvent, starts_at: hoursFromNow(9), ends_at: hoursFromNow(10) })
  await runJobs(new Date(hoursFromNow(8)))
  assert.equal((await selectLetters()).length, 2)
})

test('skips a reminder that is late after downtime, and sends the one of the next week', async () => {
  const { event } = await saveEvent({ repeats: 'weekly' })
  await setReminder(event)
  await runJobs(new Date(hoursFromNow(6)))
  assert.deepEqual(await selectLetters(), [])
  await runJobs(new Date(hoursFromNow(4 + 7 * 24)))
  assert.equal((await selectLetters()).length, 1)
})

test('a cancelled event shows the reason, notifies its subscribers and sends no reminder', async () => {
  const plannedEvent = await saveEvent()
  await setReminder(plannedEvent.event)
  await saveEvent({ ...plannedEvent, cancelled_why: 'No power at the venue.' })
  const [letter] = await selectLetters()
  assert.match(`${letter?.subject} ${letter?.body}`, /Cancelled: Club war .* No power at the venue/)
  assert.equal((await readFresh(`/api/events/${plannedEvent.event}`)).json().cancelled_why, 'No power at the venue.')
  assert.deepEqual((await readFresh('/api/server-status')).json().events, [])
  await runJobs(new Date(hoursFromNow(4)))
  assert.equal((await selectLetters()).length, 1)
  assertRefused(await setReminder(plannedEvent.event), 409, 'This event is cancelled.')
})

test('refuses reminders of past, hidden or unknown events', async () => {
  const { event } = await saveEvent()
  const { event: hiddenEvent } = await saveEvent({ visible: false })
  clock.advance(8 * HOUR_MS)
  assertRefused(await setReminder(event), 409, 'This event is over.')
  assertRefused(await setReminder(hiddenEvent), 404)
  assertRefused(await setReminder(999_999), 404)
})

test('deletes the reminders of an event a day after its end', async () => {
  const { event } = await saveEvent()
  await setReminder(event)
  const countRemindersAt = async (hours: number) => {
    await sweepReminders(db, new Date(hoursFromNow(hours)))
    return (await db.selectFrom('event_reminders').selectAll().execute()).length
  }
  assert.equal(await countRemindersAt(30.9), 1)
  assert.equal(await countRemindersAt(31.1), 0)
})

test('a result of an occurrence that has begun can be entered, replaced and removed', async () => {
  const { event } = await saveEvent({ repeats: 'weekly' })
  const enterResult = (starts_at: string, result: string) =>
    writer.post('/api/admin/events/result', { event, starts_at, result })
  assertRefused(await enterResult(hoursFromNow(5), 'Phoenix won.'), 422)
  clock.advance(7 * HOUR_MS)
  assertRefused(await enterResult(hoursFromNow(6), 'Phoenix won.'), 422)
  assert.deepEqual((await writer.get(`/api/admin/events/${event}`)).json().ended, [hoursFromNow(5)])
  assert.equal((await enterResult(hoursFromNow(5), 'Phoenix won.')).status, 200)
  assert.equal((await enterResult(hoursFromNow(5), 'Mystic Peak won.')).status, 200)
  assert.deepEqual((await readFresh(`/api/events/${event}`)).json().results, [
    { starts_at: hoursFromNow(5), result: 'Mystic Peak won.' },
  ])
  await enterResult(hoursFromNow(5), '')
  assert.deepEqual((await readFresh(`/api/events/${event}`)).json().results, [])
})

test('posts to Discord once when an event is planned, begins soon and is cancelled', async () => {
  await discord.connect(db, 'events')
  const plannedEvent = await saveEvent({ title: 'Club *war*' })
  await runJobs()
  await runJobs()
  await runJobs(new Date(hoursFromNow(4)))
  await saveEvent({ ...plannedEvent, title: 'Club *war*', cancelled_why: 'Rain.' })
  await runJobs(new Date(hoursFromNow(4.1)))
  const startSeconds = Date.parse(hoursFromNow(5)) / 1000
  const address = `${site.publicUrl}/events/${plannedEvent.event}`
  assert.deepEqual(discord.posts, [
    `Club \\*war\\*\n<t:${startSeconds}:F>\n${address}`,
    `Club \\*war\\* begins soon\nIt begins <t:${startSeconds}:R>.\n${address}`,
    `Club \\*war\\* is cancelled\nRain.\n${address}`,
  ])
})

test('a moved event changes its message on Discord, and a hidden one deletes it', async () => {
  await discord.connect(db, 'events')
  const plannedEvent = await saveEvent()
  await runJobs()
  const movedEvent = await saveEvent({ ...plannedEvent, starts_at: hoursFromNow(6), ends_at: hoursFromNow(8) })
  await runJobs()
  await saveEvent({ ...movedEvent, starts_at: hoursFromNow(6), ends_at: hoursFromNow(8), visible: false })
  await runJobs()
  const [postRequest, editRequest, deleteRequest] = discord.requests
  assert.deepEqual(
    discord.requests.map(({ method }) => method),
    ['POST', 'PATCH', 'DELETE'],
  )
  assert.equal(postRequest?.path, '/hook?wait=true')
  assert.match(editRequest?.path ?? '', /^\/hook\/messages\/\d+$/)
  assert.equal(editRequest?.body.embeds?.[0]?.timestamp, hoursFromNow(6))
  assert.equal(deleteRequest?.path, editRequest?.path)
})

test('posts a club war and its result to the channel of club wars', async () => {
  await discord.connect(db, 'events')
  await discord.connect(db, 'wars', 'wars')
  const { event } = await saveEvent({ club_war: true })
  clock.set(hoursFromNow(6))
  const result = { event, starts_at: hoursFromNow(5), result: 'Phoenix won.' }
  assert.equal((await writer.post('/api/admin/events/result', result)).status, 200)
  await runJobs()
  assert.deepEqual(
    discord.requests.map(({ path, body }) => [path, body.embeds?.[0]?.description]),
    [
      ['/wars?wait=true', `<t:${Date.parse(hoursFromNow(5)) / 1000}:F>`],
      ['/wars?wait=true', 'Phoenix won.'],
    ],
  )
})

test('retries a message that Discord refused, unless it is outdated', async () => {
  await discord.connect(db, 'events')
  const hiddenEvent = await saveEvent({ title: 'Quiz' })
  await saveEvent()
  await saveEvent({ ...hiddenEvent, title: 'Quiz', visible: false })
  discord.isOpen = false
  await runJobs()
  await runJobs(new Date(hoursFromNow(4)))
  discord.isOpen = true
  await runJobs(new Date(hoursFromNow(4.1)))
  assert.deepEqual(
    discord.posts.map((text) => text.split('\n')[0]),
    ['Club war', 'Club war begins soon'],
  )
})

test('the calendar has every event with its rule, escaped and folded as in RFC 5545', async () => {
  const { event } = await saveEvent({
    title: 'Club war; round 1, ñandu',
    about: `First line\n${'ñ'.repeat(80)}`,
    repeats: 'weekly',
    repeats_until: hoursFromNow(5 + 28 * 24),
  })
  await saveEvent({ title: 'Quiz', cancelled_why: 'Rain.' })
  const { status, text, headers } = await readFresh('/events.ics')
  assert.equal(status, 200)
  assert.match(headers.get('Content-Type') ?? '', /^text\/calendar/)
  const lines = text.split('\r\n')
  assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75))
  const unfolded = text.replaceAll('\r\n ', '')
  assert.match(unfolded, /SUMMARY:Club war\\; round 1\\, ñandu\r\n/)
  assert.match(unfolded, new RegExp(`DTSTART:${formatCalendarTime(5)}\r\nDTEND:${formatCalendarTime(7)}\r\n`))
  assert.match(unfolded, new RegExp(`RRULE:FREQ=WEEKLY;UNTIL=${formatCalendarTime(5 + 28 * 24)}\r\n`))
  assert.match(unfolded, new RegExp(`DESCRIPTION:First line\\\\n${'ñ'.repeat(80)}`))
  assert.match(unfolded, /STATUS:CANCELLED/)
  const eventFile = (await readFresh(`/events/${event}.ics`)).text
  assert.deepEqual([eventFile.match(/BEGIN:VEVENT/g)?.length, eventFile.includes('Quiz')], [1, false])
})

test('records each save of an event in the audit log', async () => {
  const plannedEvent = await saveEvent()
  await saveEvent({ ...plannedEvent, title: 'Great club war' })
  const rows = await db
    .selectFrom('audit_log')
    .where('target_kind', '=', 'event')
    .where('target_id', '=', String(plannedEvent.event))
    .select(['action', 'changes'])
    .execute()
  assert.equal(rows.length, 2)
  assert.match(JSON.stringify(rows[1]?.changes), /"field":"title"/)
})

test('refuses a reminder of a guest', async () => {
  assert.equal((await site.post('/api/events/reminder', { event: 1, wanted: true })).status, 401)
})
