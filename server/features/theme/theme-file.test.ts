import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import sharp from 'sharp'
import * as calls from '#contract/desk-theme.ts'
import { THEME_SLOTS } from '#contract/theme.ts'
import { checkColors } from '#contract/theme-colors.ts'
import { assertRefused, logInAs } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createForm, sendForm } from '#test/ticket-helpers.ts'

const site = await createTestApp()
const gm = await logInAs(site, 'gm', 'gm-demo-1')
const COLORS = { ground: '#efe2c4', accent: '#7a1f12', second: '#c9a75c' }
const png = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#36c' } })
  .png()
  .toBuffer()

const readTheme = async () => (await site.get(`/api${calls.getTheme.path}`, gm.headers)).json()
const readDraftVersion = async (): Promise<number> => (await readTheme()).draft?.version ?? 0
async function importFile(bytes: Uint8Array | string) {
  const file = new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], 'look.zip')
  const form = createForm({ look: file, version: String(await readDraftVersion()) })
  return sendForm(site, `/api${calls.importTheme.path}`, form, gm.headers)
}
const createThemeJson = (pictures: object = {}, fields: object = {}) =>
  strToU8(JSON.stringify({ format: 1, title: 'Parchment', colors: COLORS, pictures, ...fields }))
const zip = (files: Zippable) => zipSync(files)
async function assertNotImported(bytes: Uint8Array | string, pattern: RegExp) {
  const before = (await readTheme()).draft
  const answer = await importFile(bytes)
  assertRefused(answer, 422)
  assert.match(answer.json()['form-error'].look[0], pattern)
  assert.deepEqual((await readTheme()).draft, before)
}

test('imports a theme as a draft, with its pictures encoded again, and exports it for another import', async () => {
  const response = await importFile(
    zip({ 'look.json': createThemeJson({ logo: 'a.png', hero: 'b.png' }), 'a.png': png, 'b.png': png }),
  )
  assert.equal(response.status, 200, response.text)
  const { draft, published } = await readTheme()
  assert.deepEqual(
    [draft.title, draft.colors, Object.keys(draft.pictures).sort()],
    ['Parchment', COLORS, ['hero', 'logo']],
  )
  assert.equal(published.look, 0, 'the draft is not public')
  const file = await site.app.request(`/api${calls.exportTheme.path}`, { headers: gm.headers })
  assert.equal(file.headers.get('content-type'), 'application/zip')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const files = unzipSync(bytes)
  assert.deepEqual(Object.keys(files).sort(), ['hero.webp', 'logo.webp', 'look.json'])
  assert.equal(JSON.parse(strFromU8(files['look.json'] ?? new Uint8Array())).pictures.logo, 'logo.webp')
  assert.equal((await importFile(bytes)).status, 200)
})

test('retains the site’s logo if the imported theme has none', async () => {
  const logoBefore = (await readTheme()).draft.pictures.logo
  assert.equal((await importFile(zip({ 'look.json': createThemeJson() }))).status, 200)
  assert.deepEqual((await readTheme()).draft.pictures, { logo: logoBefore })
})

test('refuses an invalid theme with a message and changes nothing', async () => {
  await assertNotImported('hello', /not a zip file/)
  await assertNotImported(zip({ 'look.json': createThemeJson() }).subarray(0, 60), /not a zip file/)
  await assertNotImported(zip({ 'other.json': createThemeJson() }), /no look\.json/)
  await assertNotImported(zip({ 'folder/look.json': createThemeJson() }), /no look\.json/)
  await assertNotImported(zip({ 'look.json': strToU8('{') }), /cannot be read/)
  await assertNotImported(zip({ 'look.json': createThemeJson({}, { script: 'alert(1)' }) }), /cannot be read/)
  await assertNotImported(zip({ 'look.json': createThemeJson({}, { format: 2 }) }), /another version of the site/)
  await assertNotImported(zip({ 'look.json': createThemeJson({ css: 'a.png' }), 'a.png': png }), /cannot be read/)
  await assertNotImported(zip({ 'look.json': createThemeJson({}, { title: '' }) }), /no name/)
  for (const accent of ['red', '#fff', '#ffd21f;}body{display:none', 'url(//example.com)'])
    await assertNotImported(zip({ 'look.json': createThemeJson({}, { colors: { ...COLORS, accent } }) }), /hexadecimal/)
  await assertNotImported(
    zip({ 'look.json': createThemeJson({}, { colors: { ...COLORS, accent: '#efe2c5' } }) }),
    /Choose a darker accent/,
  )
})

test('reads only files that look.json names, and refuses paths in names', async () => {
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
      zip({ 'look.json': createThemeJson({ logo: name }), 'b.png': png, [name || 'x']: png, 'look.json ': png }),
      /cannot be read|no look\.json|Its look\.json/,
    )
  await assertNotImported(
    zip({ 'look.json': createThemeJson({ logo: 'missing.png' }) }),
    /missing\.png, which is not in the file/,
  )
  await assertNotImported(zip({ 'look.json': createThemeJson({ logo: 'constructor.png' }) }), /not in the file/)
  const answer = await importFile(
    zip({
      'look.json': createThemeJson(),
      '../evil.js': strToU8('x'),
      'run.exe': strToU8('MZ'),
      '__MACOSX/._look.json': strToU8('x'),
    }),
  )
  assert.equal(answer.status, 200, answer.text)
})

test('checks a theme’s pictures like single uploads', async () => {
  const svg = strToU8('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')
  for (const [bytes, pattern] of [
    [strToU8('GIF89a'), /not a/i],
    [svg, /complete in itself/],
    [png.subarray(0, 80), /./],
    [strToU8('<html>'), /not a/i],
  ] as const)
    await assertNotImported(zip({ 'look.json': createThemeJson({ icon: 'a.png' }), 'a.png': bytes }), pattern)
})

test('refuses a file of more than 10 MB unpacked, even if it states a smaller size', async () => {
  const largeZip = zipSync({ 'look.json': createThemeJson(), 'a.png': new Uint8Array(40 * 1024 * 1024) }, { level: 9 })
  assert.ok(largeZip.length < 100_000)
  await assertNotImported(largeZip, /larger than 10 MB/)
  const zipWithFalseSizes = new Uint8Array(largeZip)
  // Writes a size of 100 bytes after the signatures of a file's header and of its entry in the directory.
  const view = new DataView(zipWithFalseSizes.buffer)
  for (let offset = 0; offset < zipWithFalseSizes.length - 30; offset++) {
    const signature = view.getUint32(offset, true)
    if (signature === 0x04034b50) view.setUint32(offset + 22, 100, true)
    if (signature === 0x02014b50) view.setUint32(offset + 24, 100, true)
  }
  await assertNotImported(zipWithFalseSizes, /not a zip file|cannot be read/)
  const largeResponse = await importFile(new Uint8Array(calls.THEME_FILE_MAX_BYTES + 1))
  assertRefused(largeResponse, 413)
})

test('each theme that comes with the site can become the draft, with legible colors and pictures', async () => {
  const { shipped } = await readTheme()
  assert.deepEqual(
    shipped.map(({ name }: { name: string }) => name),
    ['bright-day', 'neon-night', 'parchment'],
  )
  for (const { name, title } of shipped) {
    const body = { name, version: await readDraftVersion() }
    const answer = await site.post(`/api${calls.startFromTheme.path}`, body, gm.headers)
    assert.equal(answer.status, 200, answer.text)
    const { draft } = await readTheme()
    assert.equal(draft.title, title)
    assert.deepEqual(checkColors(draft.colors), {})
    for (const slot of ['logo', 'icon', 'hero', 'hero_phone'] as const) {
      const picture = await sharp(await (await site.app.request(draft.pictures[slot][0])).arrayBuffer()).metadata()
      assert.ok(picture.width > 100, `${title}: ${THEME_SLOTS[slot].label}`)
    }
  }
  assertRefused(
    await site.post(
      `/api${calls.startFromTheme.path}`,
      { name: 'nothing', version: await readDraftVersion() },
      gm.headers,
    ),
    404,
  )
})
