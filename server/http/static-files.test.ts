import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Hono } from 'hono'
import { createStaticFiles } from './static-files.ts'

test('serves players’ files without a warning while the desk is not built, and later the desk’s', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'static-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const warn = t.mock.method(console, 'error', () => {})
  const [client = '', desk = '', media = ''] = ['client', 'desk', 'media'].map((name) => join(folder, name))
  await mkdir(join(client, 'assets'), { recursive: true })
  await mkdir(media)
  await writeFile(join(client, 'assets/page.js'), 'page')
  const app = new Hono().use(createStaticFiles({ client, desk, media }))
  assert.equal(await (await app.request('/assets/page.js')).text(), 'page')
  await mkdir(join(desk, 'desk-assets'), { recursive: true })
  await writeFile(join(desk, 'desk-assets/entry.js'), 'desk')
  assert.equal(await (await app.request('/desk-assets/entry.js')).text(), 'desk')
  assert.equal(warn.mock.callCount(), 0)
})
