import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '#test/helpers.ts'
import { CHAT, HELP, MONTH, NUMBERS, RATES, RULES, WEEK } from './server-values.ts'

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
