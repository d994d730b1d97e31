import { expect, test } from '@playwright/test'
import { openAwake } from './awake.ts'

test('the news page has three boards with the four columns, the newest first with its badge, and 65 views', async ({
  page,
}) => {
  await page.goto('/news')
  const boards = page.locator('main table')
  await expect(boards).toHaveCount(3)
  for (const board of await boards.all()) {
    await expect(board.locator('thead th')).toHaveText(['SUBJECT', 'WRITER', 'DATE', 'VIEWS'])
    await expect(board.locator('tbody tr')).toHaveCount(8)
    await expect(board.locator('tbody tr').first()).toContainText('new')
    await expect(board.getByText('new', { exact: true })).toHaveCount(1)
    await expect(board.locator('tbody tr td:last-child')).toHaveText(Array(8).fill('65'))
  }
})

test('a board pages by itself and stays where it is after going back', async ({ page }) => {
  await page.goto('/news', { waitUntil: 'networkidle' })
  const first = await page.locator('main table').nth(1).locator('tbody tr a').first().innerText()
  await page
    .getByRole('navigation', { name: /events/i })
    .getByRole('link', { name: '2', exact: true })
    .click()
  await expect(page).toHaveURL(/board=events&page=2|page=2&board=events/)
  await expect(page.locator('main table').nth(1).locator('tbody tr a').first()).not.toHaveText(first)
  await page.goBack()
  await expect(page.locator('main table').nth(1).locator('tbody tr a').first()).toHaveText(first)
})

test('a news item shows subject, writer, date and content, and its share preview names it', async ({ page }) => {
  await page.goto('/news', { waitUntil: 'networkidle' })
  // The guides: other tests publish news at the desk meanwhile.
  const link = page.locator('main table').nth(2).locator('tbody tr a').first()
  const subject = await link.innerText()
  await link.click()
  await expect(page).toHaveURL(/\/news\?topic=\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(subject)
  await page.reload()
  await expect(page).toHaveTitle(`${subject} | Tambayan Online`)
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', subject)
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', /\/art\/news-\d\d-share\.jpg$/)
  const picture = page.locator('main img[src*="/art/news-"]').first()
  expect((await picture.boundingBox())?.width ?? 0).toBeLessThanOrEqual(450)
})

test('an unknown news item is a 404 document that says so', async ({ page }) => {
  for (const path of ['/news?topic=999999', '/topic/999999', '/topic/abc']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByText('No news data available.')).toBeVisible()
  }
})

test('what came with the document is not asked for again, and Refresh asks', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/getnewsall')) calls.push(request.url())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(calls).toEqual([])
  await page
    .getByRole('button', { name: /^Refresh/ })
    .first()
    .click()
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('TAMBAYAN_CACHE'))).toContain('getnewsall')
})

test('the rankings have five tabs, level first, with the columns of RANK-3', async ({ page }) => {
  await page.goto('/rankings', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Level Ranking')
  await expect(page.getByText('Top 100 players in this month.').filter({ visible: true }).first()).toBeVisible()
  await expect(
    page.getByText('Rankings will be reset every first day of month.').filter({ visible: true }).first(),
  ).toBeVisible()
  const columns: [string, string, string[]][] = [
    ['Resu', 'Resu Ranking', ['Level', 'Resu']],
    ['MMR', 'MMR Ranking', ['MMR']],
    ['Level', 'Level Ranking', ['Level', 'Time Logged']],
    ['Richest', 'Richest Ranking', ['Level', 'Money']],
    ['Killer', 'Killer Ranking', ['Level', 'Kills', 'Deaths']],
  ]
  for (const [tab, heading, last] of columns) {
    await page.getByRole('main').getByRole('link', { name: tab, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.locator('thead th')).toHaveText(['Rank', 'Character Name', 'Class', 'School', ...last])
    await expect(page.locator('tbody tr')).toHaveCount(100)
  }
})

test('filters keep a running rank, hide unknown classes and live in the address', async ({ page }) => {
  await page.goto('/rankings', { waitUntil: 'networkidle' })
  for (const name of ['Phoenix', 'archer']) {
    const filter = page.getByRole('link', { name, exact: true })
    await filter.click()
    await expect(filter).toHaveAttribute('aria-current', 'true')
  }
  await expect(page).toHaveURL(/school=2/)
  await expect(page).toHaveURL(/class=archer/)
  const rows = page.locator('tbody tr')
  const count = await rows.count()
  expect(count).toBeLessThan(100)
  for (let index = 0; index < count; index++)
    await expect(rows.nth(index)).toContainText(new RegExp(`^\\s*${index + 1}\\D`))
  await page.reload()
  await expect(rows).toHaveCount(count)
})

test('the resu tab offers only shaman and extreme', async ({ page }) => {
  await page.goto('/rankings?tab=resu')
  const classes = page
    .getByRole('main')
    .getByRole('link', { name: /^(brawler|swordsman|archer|shaman|extreme|gunner|assassin|magician|shaper)$/ })
  await expect(classes).toHaveCount(2)
})

test('the home widget offers exactly its filters and links to the rankings', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  for (const name of ['all', 'brawler', 'swordsman', 'archer', 'shaman', 'extreme', 'gunner']) {
    await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toHaveCount(1)
  }
  await expect(page.getByRole('main').getByRole('link', { name: 'assassin' })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Mystic Peak', exact: true }).click()
  await expect(page).toHaveURL(/school=1/)
})

test('the club areas come from the database: three, owned by none, at 0%', async ({ page }) => {
  await page.goto('/')
  const clubs = page.locator('section', { has: page.getByRole('heading', { name: 'Club areas' }) })
  for (const area of ['Covered Court', 'Old Market', 'Sky Bridge']) await expect(clubs).toContainText(area)
  expect((await clubs.innerText()).match(/none/g)).toHaveLength(3)
  expect((await clubs.innerText()).match(/0%/g)).toHaveLength(3)
})

test('two filters chosen in quick succession both hold', async ({ page }) => {
  await openAwake(page, '/rankings')
  await page.evaluate(async () => {
    const choose = (group: string, nth: number) =>
      document.querySelectorAll<HTMLElement>(`[aria-label="${group}"] a`)[nth]?.click()
    choose('School', 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    choose('Class', 1)
  })
  await expect(page).toHaveURL(/school=\d.*class=|class=.*school=\d/)
})
