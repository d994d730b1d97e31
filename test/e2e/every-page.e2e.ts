import { type BrowserContext, expect, test } from '@playwright/test'
import { expectGoodPage } from './good-screen.ts'
import { storeSession } from './log-in.ts'
import { MEMBER_ROUTES, ROUTES } from './routes.ts'

test.describe.configure({ mode: 'parallel' })

const NOWHERE = '/nowhere'

/** The frame is the same around all pages, so axe looks at it on the first page of guests and of players alone. */
const FRAME = ['#top', '#site-links']

/**
 * Opens a page on a phone, then widens it to a desk, and looks at it each time; last on a phone whose reader has set text to
 * 200 %, where it must not scroll sideways.
 */
async function inspect(context: BrowserContext, path: string, crumb: string): Promise<void> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 360, height: 780 })
  const noise: string[] = []
  page.on('console', (message) => {
    const isExpected = path === NOWHERE && message.text().includes('404')
    if (['error', 'warning'].includes(message.type()) && !isExpected) noise.push(message.text())
  })
  page.on('pageerror', (error) => noise.push(error.message))
  const answer = await page.goto(path, { waitUntil: 'networkidle' })
  expect(answer?.status()).toBe(path === NOWHERE ? 404 : 200)
  await expect(page).toHaveTitle(`${crumb} | Tambayan Online`)
  await expect(page.locator('h1')).toHaveCount(1)
  await expectGoodPage(page, path === ROUTES[0]?.[0] || path === MEMBER_ROUTES[0]?.[0] ? [] : FRAME)
  expect(noise).toEqual([])
  await page.setViewportSize({ width: 360, height: 780 })
  const browser = await context.newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.close()
}

/** Guests of one worker share what their browser keeps, so that scripts and pictures come once. */
const guestTest = test.extend<object, { guest: BrowserContext }>({
  guest: [
    async ({ browser }, use) => {
      const guest = await browser.newContext({ reducedMotion: 'reduce' })
      await use(guest)
      await guest.close()
    },
    { scope: 'worker' },
  ],
})

for (const [path, crumb] of ROUTES) {
  guestTest(
    `${path} has its title and heading, a clean console, nothing sideways and nothing serious for axe, on a phone, on a desk and with text at 200 %`,
    ({ guest }) => inspect(guest, path, crumb),
  )
}

test('the pages of a player are as clean as those of everybody', async ({ browser }) => {
  test.slow()
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await storeSession(context)
  for (const [path, crumb] of MEMBER_ROUTES) await inspect(context, path, crumb)
  await context.close()
})
