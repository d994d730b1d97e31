import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { readDefaults } from '#content/documents.ts'
import type { DocumentContent } from '#contract/documents.ts'
import { ensureBuilt } from './build.ts'
import { ROOT } from './root.ts'

const drawings = globSync('art/**/*.svg', { cwd: ROOT }).map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), 'utf8'),
}))

test('requires a title, a viewBox and a size in every drawing', async () => {
  for (const { file, text } of drawings) {
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>\n {2}<title>\S[^<]+<\/title>\n/, file)
    if (file.endsWith('-skills.svg')) continue
    const [, box, width, height] = /^<svg [^>]*viewBox="0 0 ([\d ]+)" width="(\d+)" height="(\d+)"/.exec(text) ?? []
    assert.equal(box, `${width} ${height}`, file)
    const { pages = 1 } = await sharp(join(ROOT, file)).metadata()
    assert.equal(pages, 1, file)
  }
})

test('allows no scripts in a drawing, and only references to its own ids and files of its folder', () => {
  for (const { file, text } of drawings) {
    const symbolIds = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.deepEqual(symbolIds, [...new Set(symbolIds)], `${file}: an id is used twice`)
    for (const [, reference] of text.matchAll(/(?:url\(|href=")#([^")]+)/g))
      assert.ok(symbolIds.includes(reference), `${file}: ${reference}`)
    for (const [, address = ''] of text.matchAll(/href="([^#"][^"]*)"/g)) {
      assert.equal(address, basename(address), file)
      assert.ok(existsSync(join(ROOT, dirname(file), address)), `${file}: ${address}`)
    }
    assert.doesNotMatch(text, /<(script|style|foreignObject|text|!DOCTYPE|!ENTITY)|\son\w+=|javascript:/i, file)
  }
})

test('draws the icons of a class in the order of its skills', () => {
  const { classes } = readDefaults({ demo: true }).classes as DocumentContent<'classes'>
  for (const [key, { skills }] of Object.entries(classes)) {
    const text = readFileSync(join(ROOT, `art/classes/class-${key}-skills.svg`), 'utf8')
    const drawnIcons = [...text.matchAll(/<!-- (.*?)\. Icon .*? -->\n {2}<symbol id="s(\d)"/g)]
    assert.deepEqual(
      drawnIcons.map(([, skill, nth]) => [skill, Number(nth)]),
      skills.map(({ name }, index) => [name, index + 1]),
    )
  }
})

test('creates every picture that the code names', async () => {
  await ensureBuilt(() => {})
  for (const file of globSync('{content,server,web}/**/*.{ts,tsx,css}', { cwd: ROOT })) {
    if (/\.test\.ts$/.test(file)) continue
    const code = readFileSync(join(ROOT, file), 'utf8')
    for (const [path] of code.matchAll(/(?<!web)\/art\/[\w-]+\.(svg|png|jpg|webp|avif)/g))
      assert.ok(existsSync(join(ROOT, 'web/public', path)), `${file}: ${path}`)
  }
})
