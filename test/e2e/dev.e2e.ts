import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { makeTemporaryFolder } from '../../scripts/clean-up.ts'
import { ROOT } from '../../scripts/root.ts'
import { type StartedProgram, startProgram } from '../../scripts/start-site.ts'

const SOURCES = ['art', 'content', 'contract', 'demo', 'package.json', 'package-lock.json', 'scripts', 'server', 'web']

let projectCopy: string
let site: StartedProgram

test.beforeAll(async () => {
  projectCopy = makeTemporaryFolder()
  for (const name of SOURCES) await cp(join(ROOT, name), join(projectCopy, name), { recursive: true })
  await cp(join(ROOT, 'CHANGELOG.md'), join(projectCopy, 'CHANGELOG.md'))
  await symlink(join(ROOT, 'node_modules'), join(projectCopy, 'node_modules'), 'junction')
  const dataDir = makeTemporaryFolder()
  await cp(process.env.E2E_WORLD ?? '', dataDir, { recursive: true })
  site = await startProgram(
    ['scripts/dev.ts'],
    { PORT: '0', DATABASE_URL: '', DATA_DIR: dataDir },
    { cwd: projectCopy },
  )
})

test.afterAll(() => site.stop())

/** Replaces the first occurrence of a text in a source file of the copy of the project. */
async function editSource(file: string, before: string, after: string): Promise<void> {
  const text = await readFile(join(projectCopy, file), 'utf8')
  expect(text).toContain(before)
  await writeFile(join(projectCopy, file), text.replace(before, after))
}

/** Opens the news and waits until its scripts run. */
async function openNews(page: Page): Promise<void> {
  await page.goto(`${site.origin}/news`)
  await page.waitForFunction(() => Object.keys(document.documentElement).some((key) => key.startsWith('__react')))
}

/** Marks the document. A newly loaded document lacks the mark. */
const markDocument = (page: Page) => page.evaluate(() => void document.documentElement.setAttribute('data-marked', ''))
const expectSameDocument = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-marked')

test('npm run dev shows a changed component, stylesheet and handler without losing the page', async ({ page }) => {
  await openNews(page)
  await markDocument(page)

  await editSource('web/features/news/news-page.tsx', 'straight from the people', 'right from the people')
  await expect(page.getByText('right from the people')).toBeVisible()

  await editSource('web/shell/page-head.module.css', '\n.title {', '\n.title { outline: 3px solid rgb(1, 2, 3);')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('outline-color', 'rgb(1, 2, 3)')

  await editSource('server/features/news/queries.ts', 'subject: row.subject', "subject: 'Edited: ' + row.subject")
  await expect(page.getByText(/^Edited: /).first()).toBeVisible({ timeout: 30_000 })
  await expectSameDocument(page)

  const html = await (await page.request.get(`${site.origin}/news`, { headers: { Accept: 'text/html' } })).text()
  expect(html).toContain('right from the people')
  expect(html).toContain('outline: 3px solid')
  expect(html).toContain('Edited: ')
})

test('npm run dev reports no difference between the rendered class guide and the hydrated one', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
  await page.goto(`${site.origin}/characters`)
  await expect(page.getByRole('tabpanel')).toBeVisible()
  expect(errors).toEqual([])
})

test('npm run dev gives a changed contract to the server and to the browser', async ({ page }) => {
  await openNews(page)
  await editSource('contract/limits.ts', 'NEWS_PAGE_SIZE = ', 'NEWS_PAGE_SIZE = 3 + 0 * ')
  await expect(page.getByRole('table').first().locator('tbody tr')).toHaveCount(3, { timeout: 30_000 })
})

test('npm run dev shows a mistake in a server file, and continues after the next save', async ({ page }) => {
  await openNews(page)
  await markDocument(page)
  const overlay = page.locator('vite-error-overlay')
  await editSource('server/features/news/queries.ts', 'author: row.author,', 'author: row.author,,')
  await expect(overlay).toBeAttached({ timeout: 30_000 })
  expect((await page.request.get(`${site.origin}/api/getnewsall/0/8/1/0`)).status()).toBe(200)

  await editSource('server/features/news/queries.ts', 'author: row.author,,', "author: 'Repaired',")
  await expect(overlay).not.toBeAttached({ timeout: 30_000 })
  await expect(page.getByText('Repaired').first()).toBeVisible({ timeout: 30_000 })
  await expectSameDocument(page)
})

test('npm run dev draws pictures on request and serves a service worker that unregisters itself', async ({
  request,
}) => {
  const picture = await request.get(`${site.origin}/art/favicon-32.png`)
  expect(picture.headers()['content-type']).toBe('image/png')
  expect((await request.get(`${site.origin}/art/missing.png`)).status()).toBe(404)
  expect(await (await request.get(`${site.origin}/service-worker.js`)).text()).toContain('unregister')
})
