import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '#contract/durations.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { maintenanceTime } from './notice-words.ts'

test('the countdown tells in two units how long until maintenance starts, and until the site is back', () => {
  const window = { from: '2026-11-21T21:00:00Z', until: '2026-11-21T22:30:00Z' }
  for (const [now, words] of [
    ['2026-11-19T19:00:00Z', 'Maintenance starts in 2 days 2 hours'],
    ['2026-11-21T18:49:30Z', 'Maintenance starts in 2 hours 11 minutes'],
    ['2026-11-21T20:59:59Z', 'Maintenance starts in 1 minute'],
    ['2026-11-21T21:00:00Z', 'Maintenance: back in 1 hour 30 minutes'],
    ['2026-11-21T22:30:00Z', 'Maintenance is over'],
  ] as const)
    assert.equal(maintenanceTime(window, Date.parse(now)), words)
  assert.equal(maintenanceTime({ ...window, until: '' }, Date.parse('2026-11-22T00:00:00Z')), 'Maintenance')
})

test('every page announces maintenance and the operators’ line, in its HTML, and nothing on other days', async () => {
  const site = await createTestApp({ pages: true })
  const at = (ms: number) => new Date(site.now().getTime() + ms).toISOString()
  const barsOf = async (path: string) =>
    /<div id="notices">(.*?)<\/div>/s.exec((await site.get(path)).text)?.[1]?.replace(/<style>.*?<\/style>/s, '') ?? ''
  assert.equal(await barsOf('/'), '')
  await changeSettings(site, {
    maintenance: { from: at(90 * MINUTE_MS), until: at(150 * MINUTE_MS), message: 'A <larger> disk.', allowed: [] },
    announcement_text: 'Club war on Saturday',
    announcement_link: '/news',
    announcement_until: at(30 * MINUTE_MS),
  })
  for (const path of ['/', '/itemshop', '/nowhere']) {
    const bars = await barsOf(path)
    assert.match(bars, /Maintenance starts in 1 hour 30 minutes/, path)
    assert.match(bars, /A &lt;larger&gt; disk\./)
    assert.match(bars, /<a href="\/news">Club war on Saturday<\/a>/)
  }
  site.clock.advance(100 * MINUTE_MS)
  const bars = await barsOf('/')
  assert.match(bars, /Maintenance: back in 50 minutes/)
  assert.doesNotMatch(bars, /Club war/)
  site.clock.advance(60 * MINUTE_MS)
  assert.equal(await barsOf('/'), '')
})
