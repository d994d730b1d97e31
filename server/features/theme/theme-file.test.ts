import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import sharp from 'sharp'
import * as calls from '#contract/desk-theme.ts'
import { THEME_SLOTS } from '#contract/theme.ts'
import { checkColors } from '#contract/theme-colors.ts'
import { assertRefused, loginAs } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createForm, sendForm } from '#test/ticket-helpers.ts'

const site = await createTestApp()
const gm = await loginAs(site, 'gm', 'gm-demo-1')
const COLORS = { ground: '#efe2c4', accent: '#7a1f12', second: '#c9a75c' }
const png = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#36c' } })
  .png()
  .toBuffer()

const look = async () => (await site.get(`/api${calls.getTheme.path}`, gm.headers)).json()
const draftVersion = async (): Promise<number> => (await look()).draft?.version ?? 0
async function importFile(bytes: Uint8Array | string) {
  const file = new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], 'look.zip')
  const form = createForm({ look: file, version: String(await draftVersion()) })
  return sendForm(site, `/api${calls.importTheme.path}`, form, gm.headers)
}
const describe = (pictures: object = {}, more: object = {}) =>
  strToU8(JSON.stringify({ format: 1, title: 'Parchment', colors: COLORS, pictures, ...more }))
const zip = (files: Zippable) => zipSync(files)
async function assertNotImported(bytes: Uint8Array | string, pattern: RegExp) {
  const before = (await look()).draft
  const answer = await importFile(bytes)
  assertRefused(answer, 422)
  assert.match(answer.json()['form-error'].look[0], pattern)
  assert.deepEqual((await look()).draft, before)
}

test('imports an exported theme as a draft on another site, with its pictures encoded again', async () => {
  const imported = await importFile(
    zip({ 'look.json': describe({ logo: 'a.png', hero: 'b.png' }), 'a.png': png, 'b.png': png }),
  )
  assert.equal(imported.status, 200, imported.text)
  const { draft, published } = await look()
  assert.deepEqual(
    [draft.title, draft.colors, Object.keys(draft.pictures).sort()],
    ['Parchment', COLORS, ['hero', 'logo']],
  )
  assert.equal(published.look, 0, 'players see nothing of it')
  const file = await site.app.request(`/api${calls.exportTheme.path}`, { headers: gm.headers })
  assert.equal(file.headers.get('content-type'), 'application/zip')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const files = unzipSync(bytes)
  assert.deepEqual(Object.keys(files).sort(), ['hero.webp', 'logo.webp', 'look.json'])
  assert.equal(JSON.parse(strFromU8(files['look.json'] ?? new Uint8Array())).pictures.logo, 'logo.webp')
  assert.equal((await importFile(bytes)).status, 200)
})

test('a look of others leaves the site’s own logo where it brings none', async () => {
  const before = (await look()).draft.pictures.logo
  assert.equal((await importFile(zip({ 'look.json': describe() }))).status, 200)
  assert.deepEqual((await look()).draft.pictures, { logo: before })
})

test('refuses an invalid theme with a message and changes nothing', async () => {
  await assertNotImported('hello', /no zip file/)
  await assertNotImported(zip({ 'look.json': describe() }).subarray(0, 60), /no zip file/)
  await assertNotImported(zip({ 'other.json': describe() }), /no look\.json/)
  await assertNotImported(zip({ 'folder/look.json': describe() }), /no look\.json/)
  await assertNotImported(zip({ 'look.json': strToU8('{') }), /cannot be read/)
  await assertNotImported(zip({ 'look.json': describe({}, { script: 'alert(1)' }) }), /cannot be read/)
  await assertNotImported(zip({ 'look.json': describe({}, { format: 2 }) }), /this version of the site/)
  await assertNotImported(zip({ 'look.json': describe({ css: 'a.png' }), 'a.png': png }), /cannot be read/)
  await assertNotImported(zip({ 'look.json': describe({}, { title: '' }) }), /no name/)
  for (const accent of ['red', '#fff', '#ffd21f;}body{display:none', 'url(//example.com)'])
    await assertNotImported(zip({ 'look.json': describe({}, { colors: { ...COLORS, accent } }) }), /hexadecimal/)
  await assertNotImported(
    zip({ 'look.json': describe({}, { colors: { ...COLORS, accent: '#efe2c5' } }) }),
    /Choose a darker accent/,
  )
})

test('only what look.json names is read, and never by a path', async () => {
  for (const name of [
    '../../server.ts',
    '/etc/passwd',
    'a/b.png',
    '..\\b.png',
    'b.png\u0000',
    'look.json',
    'b.exe',
    '.png',
  ])
    await assertNotImported(
      zip({ 'look.json': describe({ logo: name }), 'b.png': png, [name || 'x']: png, 'look.json ': png }),
      /cannot be read|no look\.json|Its look\.json/,
    )
  await assertNotImported(
    zip({ 'look.json': describe({ logo: 'missing.png' }) }),
    /missing\.png, which is not in the file/,
  )
  await assertNotImported(zip({ 'look.json': describe({ logo: 'constructor.png' }) }), /not in the file/)
  const answer = await importFile(
    zip({
      'look.json': describe(),
      '../evil.js': strToU8('x'),
      'run.exe': strToU8('MZ'),
      '__MACOSX/._look.json': strToU8('x'),
    }),
  )
  assert.equal(answer.status, 200, answer.text)
})

test('a picture of a look passes the checks of one that is uploaded alone', async () => {
  const svg = strToU8('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')
  for (const [bytes, pattern] of [
    [strToU8('GIF89a'), /not a/i],
    [svg, /complete in itself/],
    [png.subarray(0, 80), /./],
    [strToU8('<html>'), /not a/i],
  ] as const)
    await assertNotImported(zip({ 'look.json': describe({ icon: 'a.png' }), 'a.png': bytes }), pattern)
})

test('a file that unpacks to more than 10 MB, or lies about it, is refused before it is unpacked', async () => {
  const bomb = zipSync({ 'look.json': describe(), 'a.png': new Uint8Array(40 * 1024 * 1024) }, { level: 9 })
  assert.ok(bomb.length < 100_000)
  await assertNotImported(bomb, /larger than 10 MB/)
  const lying = new Uint8Array(bomb)
  const view = new DataView(lying.buffer)
  for (let at = 0; at < lying.length - 30; at++) {
    const sign = view.getUint32(at, true)
    if (sign === 0x04034b50) view.setUint32(at + 22, 100, true)
    if (sign === 0x02014b50) view.setUint32(at + 24, 100, true)
  }
  await assertNotImported(lying, /no zip file|cannot be read/)
  const large = await importFile(new Uint8Array(calls.THEME_FILE_MAX_BYTES + 1))
  assertRefused(large, 413)
})

test('each look that comes with the site becomes a draft, is legible and shows its own pictures', async () => {
  const { shipped } = await look()
  assert.deepEqual(
    shipped.map(({ name }: { name: string }) => name),
    ['bright-day', 'neon-night', 'parchment'],
  )
  for (const { name, title } of shipped) {
    const body = { name, version: await draftVersion() }
    const answer = await site.post(`/api${calls.startFromTheme.path}`, body, gm.headers)
    assert.equal(answer.status, 200, answer.text)
    const { draft } = await look()
    assert.equal(draft.title, title)
    assert.deepEqual(checkColors(draft.colors), {})
    for (const slot of ['logo', 'icon', 'hero', 'hero_phone'] as const) {
      const picture = await sharp(await (await site.app.request(draft.pictures[slot][0])).arrayBuffer()).metadata()
      assert.ok(picture.width > 100, `${title}: ${THEME_SLOTS[slot].label}`)
    }
  }
  assertRefused(
    await site.post(`/api${calls.startFromTheme.path}`, { name: 'nothing', version: await draftVersion() }, gm.headers),
    404,
  )
})
