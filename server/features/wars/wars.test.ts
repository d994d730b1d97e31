import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#contract/durations.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'empty' })
const { db, clock } = site
const hoursFromNow = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS)

const readWars = async () => {
  site.cache.clear()
  return (await site.get('/api/wars')).json()
}

test('records each change of an area’s holder with its time', async () => {
  const [area] = await db
    .insertInto('club_areas')
    .values({ name: 'Sky Bridge', picture: null, club: null })
    .returning('id')
    .execute()
  const setClub = (club: string | null, held_since?: Date) =>
    db
      .updateTable('club_areas')
      .set({ club, ...(held_since && { held_since }) })
      .where('id', '=', area?.id ?? 0)
      .execute()
  await setClub('Buwan', hoursFromNow(-5))
  await setClub('Buwan', hoursFromNow(-4))
  await setClub(null, hoursFromNow(-3))
  await setClub('Lakan')
  const holders = await db.selectFrom('area_holders').select(['club', 'since']).orderBy('change').execute()
  assert.deepEqual(
    holders.map(({ club }) => club),
    ['Buwan', null, 'Lakan'],
  )
  assert.deepEqual([holders[0]?.since, holders[1]?.since], [hoursFromNow(-5), hoursFromNow(-3)])
  const wars = await readWars()
  assert.equal(wars.areas[0].club, 'Lakan')
  assert.equal(wars.areas[0].held_since, holders[2]?.since.toISOString())
  assert.equal(wars.changes.length, 3)
})

test('retains the history of a deleted area', async () => {
  await db.deleteFrom('club_areas').execute()
  assert.deepEqual(await db.selectFrom('area_holders').select(['area', 'area_name']).distinct().execute(), [
    { area: null, area_name: 'Sky Bridge' },
  ])
  assert.deepEqual((await readWars()).changes, [])
})

test('shows the next club war and the last results, but not other events', async () => {
  const writer = await createOperator(site, 'news')
  const eventFields = {
    event: null,
    version: 0,
    about: '',
    picture: null,
    prize: '',
    board: null,
    news: null,
    repeats: 'daily',
    repeats_until: null,
    visible: true,
    cancelled_why: '',
  }
  const saveEvent = async (title: string, hours: number, club_war: boolean) =>
    (
      await writer.post('/api/admin/events/save', {
        ...eventFields,
        title,
        club_war,
        starts_at: hoursFromNow(hours).toISOString(),
        ends_at: hoursFromNow(hours + 1).toISOString(),
      })
    ).json().event
  await saveEvent('Quiz', 1, false)
  const warEvent = await saveEvent('Club war', -30, true)
  const result = { event: warEvent, starts_at: hoursFromNow(-30).toISOString(), result: 'Buwan won.' }
  assert.equal((await writer.post('/api/admin/events/result', result)).status, 200)
  const { next, results } = await readWars()
  assert.deepEqual([next.event, next.starts_at], [warEvent, hoursFromNow(18).toISOString()])
  assert.deepEqual(results, [{ ...result, title: 'Club war' }])
})
