import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import sharp from 'sharp'
import * as calls from '#contract/desk-theme.ts'
import { ORIGINAL_THEME, THEME_SLOTS, type ThemeSlot } from '#contract/theme.ts'
import {
  calculateContrast,
  checkColors,
  deriveTokens,
  listPairs,
  ORIGINAL_COLORS,
  ORIGINAL_TOKENS,
} from '#contract/theme-colors.ts'
import { assertRefused, logInAs } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createForm, sendForm } from '#test/ticket-helpers.ts'

const site = await createTestApp({ pages: true })
const gm = await logInAs(site, 'gm', 'gm-demo-1')
const DAY_COLORS = { ground: '#eaf4fb', accent: '#0b4f9e', second: '#7cc4f0' }

const callDesk = (call: { path: string }, body: unknown = {}) => site.post(`/api${call.path}`, body, gm.headers)
const readTheme = async () => (await site.get(`/api${calls.getTheme.path}`, gm.headers)).json()
const readDraftVersion = async (): Promise<number> => (await readTheme()).draft?.version ?? 0
const saveTheme = async (fields: object = {}) =>
  callDesk(calls.saveTheme, { version: await readDraftVersion(), title: 'Day', ...DAY_COLORS, pictures: {}, ...fields })
async function publishTheme(fields: object = {}) {
  assert.equal((await saveTheme(fields)).status, 200)
  const answer = await callDesk(calls.publishTheme, { version: await readDraftVersion() })
  assert.equal(answer.status, 200, answer.text)
  site.cache.clear()
}

const createSquare = (color: string, side = 600) =>
  sharp({ create: { width: side, height: side, channels: 3, background: color } })
    .png()
    .toBuffer()

async function uploadPicture(slot: ThemeSlot, bytes: Uint8Array | string, name = 'picture.png') {
  const picture = new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)
  return sendForm(site, '/api/admin/files', createForm({ picture, use: THEME_SLOTS[slot].use }), gm.headers)
}
const getUrls = (answer: { json(): { files: { url: string }[] } }) => answer.json().files.map(({ url }) => url)

test('the original theme has the colors of the stylesheet, and passes every rule for themes', async () => {
  const css = await readFile('web/ui/base.css', 'utf8')
  for (const [name, color] of Object.entries(ORIGINAL_TOKENS)) {
    const cssValue = new RegExp(`--${name}: (#[0-9a-f]+);`).exec(css)?.[1]
    assert.equal(cssValue?.length === 4 ? cssValue.replace(/[0-9a-f]/g, '$&$&') : cssValue, color, name)
  }
  assert.deepEqual(deriveTokens(ORIGINAL_COLORS), ORIGINAL_TOKENS)
  assert.deepEqual(checkColors(ORIGINAL_COLORS), {})
})

test('contrast follows WCAG, and any legible ground gives distinguishable colors', () => {
  assert.equal(calculateContrast('#000000', '#ffffff'), 21)
  assert.equal(calculateContrast('#777777', '#ffffff').toFixed(2), '4.48')
  for (const ground of ['#000000', '#ffffff', '#14081f', '#f3e6c8', '#002b36', '#fdf6e3', '#300000', '#e8ffe8'])
    for (const { choice, ratio, minContrast, frontName, backName } of listPairs({ ...DAY_COLORS, ground }))
      if (choice === 'ground') assert.ok(ratio >= minContrast, `${frontName} on ${backName} with ${ground}: ${ratio}`)
})

test('refuses indistinguishable colors with a message at the color to change', async () => {
  for (const [colors, field, message] of [
    [{ ground: '#777777' }, 'ground', /^Text on .*Choose a (lighter|darker) ground/],
    [{ accent: '#9fc4ee' }, 'accent', /contrast of \d\.\d : 1, and 4\.5 : 1 is needed\. Choose a darker accent\.$/],
    [{ second: '#1c2a52' }, 'second', /^Headings on the second accent .* Choose a lighter second accent\.$/],
    [{ accent: 'red' }, 'accent', /six hexadecimal digits/],
  ] as const) {
    const answer = await saveTheme(colors)
    assertRefused(answer, 422)
    assert.match(answer.json()['form-error'][field]?.[0] ?? '', message)
  }
  assert.equal((await readTheme()).draft, null)
})

test('a draft stays private until it is published, then every page links its colors as one file', async () => {
  const before = (await site.get('/news')).text
  assert.doesNotMatch(before, /rel="stylesheet" href="\/files/)
  assert.equal((await saveTheme()).status, 200)
  assertRefused(await callDesk(calls.saveTheme, { version: 0, title: 'Other', ...DAY_COLORS, pictures: {} }), 409)
  site.cache.clear()
  assert.equal((await site.get('/news')).text.replace(/"at":\d+/, ''), before.replace(/"at":\d+/, ''))
  await publishTheme()
  const { text, headers } = await site.get('/news')
  const stylesheetPath = /<link rel="stylesheet" href="(\/files\/[0-9a-f]{64}\.css)"\/>/.exec(text)?.[1]
  assert.ok(
    stylesheetPath && text.indexOf(stylesheetPath) > text.indexOf('</style>'),
    'the stylesheet comes after the styles that it changes',
  )
  assert.match(text, /<meta name="theme-color" content="#eaf4fb"\/>/)
  assert.match(String(headers.get('content-security-policy')), /style-src 'self' 'unsafe-inline';/)
  const css = await site.get(stylesheetPath)
  assert.equal(css.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(css.headers.get('content-type'), 'text/css')
  assert.match(css.text, /^:root\{--ink:#eaf4fb;.*--signal:#0b4f9e;/)
  assert.match(css.text, /:root\{color-scheme:light;--tint-share:40%\}/, 'text in a class’s tint stays legible')
  assert.ok(css.text.length < 2000, `${css.text.length} bytes`)
  const manifest = (await site.get('/manifest.webmanifest')).json()
  assert.deepEqual([manifest.theme_color, manifest.background_color, manifest.screenshots], ['#eaf4fb', '#eaf4fb', []])
  assert.equal((await readTheme()).draft, null)
})

test('restores an earlier theme or the original with one call', async () => {
  await publishTheme({ title: 'Night', ground: '#12031f', accent: '#2df5e6', second: '#a3127f' })
  const [, day] = (await readTheme()).earlier
  assert.equal((await callDesk(calls.restoreTheme, { look: day.look })).status, 200)
  assert.equal((await readTheme()).published.colors.ground, DAY_COLORS.ground)
  assert.equal((await callDesk(calls.restoreTheme, { look: 0 })).status, 200)
  site.cache.clear()
  assert.equal((await site.get('/api/site')).json().look, null)
  assert.doesNotMatch((await site.get('/')).text, /rel="stylesheet" href="\/files/)
  assertRefused(await callDesk(calls.restoreTheme, { look: 99_999 }), 404)
})

test('a theme’s pictures replace the original ones at their positions', async () => {
  const pictures: Partial<Record<ThemeSlot, string[]>> = {}
  for (const slot of Object.keys(THEME_SLOTS) as ThemeSlot[]) {
    const answer = await uploadPicture(slot, await createSquare('#3366cc'))
    assert.equal(answer.status, 200, answer.text)
    pictures[slot] = getUrls(answer)
  }
  await publishTheme({ pictures })
  const home = (await site.get('/')).text
  const assertContains = (page: string, slot: ThemeSlot) => assert.ok(page.includes(pictures[slot]?.[0] ?? '?'), slot)
  for (const slot of ['logo_wide', 'logo', 'share', 'crest_gate', 'emblem_shaper'] as const) assertContains(home, slot)
  for (const slot of ['mark_rcoin', 'mark_milleage', 'tile_redeem', 'tile_gallery', 'menu'] as const)
    assertContains(home, slot)
  assertContains((await site.get('/nothing')).text, 'page_missing')
  assertContains((await site.get('/forum')).text, 'board_talk')
  assertContains((await site.get('/capsuleshop')).text, 'capsule')
  const css = await site.get(/href="(\/files\/\w+\.css)"/.exec(home)?.[1] ?? '')
  for (const slot of ['hero', 'hero_phone'] as const) assertContains(css.text, slot)
  const [largeIcon, mediumIcon, smallIcon] = pictures.icon ?? []
  assert.ok(
    home.includes(`<link rel="icon" href="${smallIcon}"`) &&
      home.includes(`<link rel="apple-touch-icon" href="${mediumIcon}"`),
  )
  assert.ok((await site.get('/admin')).text.includes(`href="${smallIcon}"`))
  const { icons } = (await site.get('/manifest.webmanifest')).json()
  assert.deepEqual(
    icons.map(({ src }: { src: string }) => src),
    [mediumIcon, largeIcon],
  )
  const deskUser = (await site.get('/api/admin/me', gm.headers)).json()
  assert.equal(deskUser.logo, pictures.logo?.[0])
  await callDesk(calls.restoreTheme, { look: 0 })
})

test('refuses a picture that is deleted, from outside, or for an unknown position', async () => {
  for (const url of [`/files/${'0'.repeat(64)}.webp`, '/art/share.png', 'https://example.com/a.png', '/files/../x.png'])
    assertRefused(await saveTheme({ pictures: { logo: [url] } }), 422)
  assertRefused(await saveTheme({ pictures: { css: [] } }), 422)
})

test('converts an uploaded SVG to a picture, and refuses an SVG that needs other files', async () => {
  const createSvg = (content: string, attributes = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="48" height="48" ${attributes}>${content}</svg>`
  const response = await uploadPicture('logo', createSvg('<path d="M0 0h48v48H0z" fill="#f00"/>'), 'logo.svg')
  assert.equal(response.status, 200, response.text)
  const [url] = getUrls(response)
  const storedPicture = await site.app.request(url ?? '')
  const { format, width } = await sharp(await storedPicture.arrayBuffer()).metadata()
  assert.deepEqual([format, width], ['webp', 192])
  for (const content of [
    '<script>alert(1)</script>',
    '<image href="file:///etc/passwd" width="9" height="9"/>',
    '<image xlink:href="https://example.com/a.png" width="9" height="9"/>',
    '<use href="https://example.com/a.svg#x"/>',
    '<style>@import url(https://example.com/a.css);</style>',
    '<rect width="9" height="9" fill="url(https://example.com/a.svg#g)"/>',
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
    '<filter id="f"><feGaussianBlur stdDeviation="999"/></filter>',
    '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd" parse="text"/>',
  ])
    assertRefused(await uploadPicture('logo', createSvg(content), 'logo.svg'), 422)
  const entityDeclarations = '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
  assertRefused(await uploadPicture('logo', entityDeclarations + createSvg('<text>&b;</text>'), 'logo.svg'), 422)
  assertRefused(await uploadPicture('logo', createSvg(' '.repeat(1024 * 1024)), 'logo.svg'), 422)
  assertRefused(await uploadPicture('logo', '<html><svg/></html>', 'logo.svg'), 422)
  const news = new File([createSvg('<path d="M0 0h9v9z"/>')], 'a.svg')
  assertRefused(await sendForm(site, '/api/admin/files', createForm({ picture: news, use: 'news' }), gm.headers), 422)
})

test('emails have the theme’s colors', async () => {
  await publishTheme()
  const templates = (await site.get('/api/admin/mails/templates', gm.headers)).json().rows
  assert.match(templates[0].html, /background:#eaf4fb;color:#171819/)
  await callDesk(calls.restoreTheme, { look: 0 })
  assert.equal((await readTheme()).published.title, ORIGINAL_THEME.title)
})

test('shows the whole site with the draft in the preview only', async () => {
  await saveTheme()
  const response = await callDesk(calls.previewTheme, { version: await readDraftVersion() })
  assert.equal(response.status, 200, response.text)
  const { path } = response.json()
  for (const page of ['', '/itemshop', '/rankings']) {
    const { status, text, headers } = await site.get(`${path}${page}`)
    assert.equal(status, 200)
    assert.match(text, /rel="stylesheet" href="\/files\/\w+\.css"/)
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  assert.doesNotMatch((await site.get('/itemshop')).text, /rel="stylesheet" href="\/files/)
  assert.equal((await callDesk(calls.discardTheme, { version: await readDraftVersion() })).status, 200)
  assert.equal((await site.get(path)).status, 404)
})
