import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BLANK_SERVER_INFO } from '#contract/settings.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { SERVER_INFO } from './server-info.ts'

const { rates: RATES, numbers: NUMBERS, week: WEEK, month: MONTH, chat: CHAT, rules: RULES, help: HELP } = SERVER_INFO

test('the sheet states the rates, the limits and what talking costs', () => {
  assert.deepEqual(
    RATES.map(({ name }) => name),
    ['Experience', 'Drop', 'Gold'],
  )
  const names = NUMBERS.map(({ name }) => name)
  for (const name of ['Level cap', 'Largest party', 'Channels']) assert.ok(names.includes(name), name)
  assert.deepEqual(CHAT, [
    { name: 'Regional channel', value: '10,000 gold per message' },
    { name: 'Party search channel', value: '20,000 gold per message, usable once every 2 minutes' },
  ])
  assert.equal(MONTH.value, '1st, 00:00')
  assert.ok(RULES.length >= 4)
})

test('the week stays within its days and hours', () => {
  for (const { spans } of WEEK)
    for (const { day, from, to } of spans) assert.ok(day >= 0 && day < 7 && from >= 0 && from < to && to <= 24)
})

test('sentences break between words and lose none', async () => {
  const site = await createTestApp({ pages: true })
  const html = (await site.get('/serverinfo')).text
  const sentences = [...RATES, ...NUMBERS, ...WEEK, MONTH].map(({ note }) => note)
  for (const [, sheet = ''] of html.matchAll(/<svg[^>]* role="img"[^>]*>(.*?)<\/svg>/gs)) {
    const lines = [...sheet.matchAll(/<text[^>]*>((?:<tspan[^>]*>[^<]*<\/tspan>)+)<\/text>/g)].map(([, text = '']) =>
      text.split('</tspan>').map((line) => line.replace(/<[^>]*>/, '')),
    )
    const drawn = lines.map((text) => text.join(''))
    for (const sentence of [...sentences, ...RULES.map(({ text }) => text), ...HELP.map(({ text }) => text)])
      assert.ok(drawn.includes(sentence), sentence)
    assert.ok(
      lines.some((text) => text.length > 3),
      'nothing had to break',
    )
    for (const line of lines.flat()) assert.ok(line.length < 110, line)
  }
})

test('a site without the demo says nothing of ours: its sheet is being prepared until the operators write it', async () => {
  const site = await createTestApp({ world: 'empty', env: { DEMO: '0' }, pages: true })
  const ours = [...RATES, ...NUMBERS, ...WEEK, MONTH].flatMap(({ note, value }) =>
    [note, value].filter((text) => text.length > 4),
  )
  const page = await site.get('/serverinfo')
  assert.equal(page.status, 200)
  assert.match(page.text, /This page is being prepared\./)
  assert.match(page.text, /<meta name="robots" content="noindex[^"]*"/)
  const values = (await site.get('/api/server-info')).text
  for (const text of [...ours, 'Club war', 'Level cap', 'guard house']) {
    assert.ok(!page.text.includes(text), text)
    assert.ok(!values.includes(text), text)
  }
  const places = ['/ticket', '/sitemap-pages.xml', '/api/search?q=rates', '/search?q=server%20information']
  // The document says which pages are being prepared, for the menus that the browser makes.
  const linked = async () =>
    (await Promise.all(places.map((path) => site.get(path)))).map(({ text }) =>
      text.replaceAll(/"preparing":\[[^\]]*\]/g, '').includes('/serverinfo'),
    )
  assert.deepEqual(await linked(), [false, false, false, false])

  const rates = [{ name: 'Experience', value: '×7', note: 'For everybody.' }]
  await changeSettings(site, { server_info: { ...BLANK_SERVER_INFO, rates } })
  const written = await site.get('/serverinfo')
  assert.match(written.text, /For everybody\./)
  assert.doesNotMatch(written.text, /being prepared|Fair play<|The week|noindex/)
  assert.deepEqual(await linked(), [true, true, true, true])
})
