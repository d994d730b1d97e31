import { type BrowserContext, expect, test } from '@playwright/test'
import { expectAccessible, expectGoodPage, IS_DRILL } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'
import { MEMBER_ROUTES, ROUTES } from './routes.ts'

// Allowed, because blocking service workers prints a warning.
test.use({ serviceWorkers: 'allow' })

const NOWHERE = '/nowhere'

/** One page of each kind, opened in every run. A drill opens all pages. */
const KINDS = new Set([
  '/',
  '/characters',
  '/news',
  '/news?topic=46',
  '/events',
  '/itemshop',
  '/itemshop/5',
  '/capsuleshop/1',
  '/topup',
  '/gallery',
  '/ticket',
  '/rankings',
  '/character/1',
  '/club/1',
  '/rankings/tournament/2',
  '/register',
  '/login',
  '/serverinfo',
  '/operationpolicy',
  '/search',
  '/forum/200/8',
  '/forum/300',
  '/nowhere',
  '/user',
  '/shoppingcart',
  '/shoppurchases',
  '/mailbox',
])

/** The frame is the same around all pages, so axe examines it only on the first page of guests and of players. */
const FRAME = ['#top', '#site-links']

/**
 * Opens a page on a phone, on a desktop, and on a phone with text at 200 %, and expects that nothing scrolls sideways.
 */
async function inspectPage(context: BrowserContext, path: string, crumb: string): Promise<void> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 360, height: 780 })
  const consoleErrors: string[] = []
  page.on('console', (message) => {
    const isExpected = path === NOWHERE && message.text().includes('404')
    if (['error', 'warning'].includes(message.type()) && !isExpected) consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  await openHydrated(page, path)
  await expect(page).toHaveTitle(`${crumb} | Tambayan Online`)
  await expect(page.locator('h1')).toHaveCount(1)
  const excludedSelectors = path === ROUTES[0]?.[0] || path === MEMBER_ROUTES[0]?.[0] ? [] : FRAME
  if (!IS_DRILL) await expectAccessible(page, excludedSelectors)
  await expectGoodPage(page, excludedSelectors)
  expect(consoleErrors).toEqual([])
  await page.setViewportSize({ width: 360, height: 780 })
  const browser = await context.newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.close()
}

for (const { who, routes } of [
  { who: 'guests', routes: ROUTES },
  { who: 'players', routes: MEMBER_ROUTES },
])
  test(`the pages of ${who} fit a phone, a desktop and text at 200 %, with a clean console`, async ({ browser }) => {
    test.setTimeout(IS_DRILL ? 1_200_000 : 540_000)
    // One context for all pages, so scripts and pictures are downloaded once.
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    if (who === 'players') await storeSession(context)
    for (const [path, crumb] of routes)
      if (IS_DRILL || KINDS.has(path)) await test.step(path, () => inspectPage(context, path, crumb))
    await context.close()
  })
