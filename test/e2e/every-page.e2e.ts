import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectGoodPage, IS_DRILL } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'
import { PLAYER_ROUTES, ROUTES } from './routes.ts'

// Allowed, because blocking service workers prints a warning.
test.use({ serviceWorkers: 'allow' })

const UNKNOWN_PATH = '/nowhere'

const PHONE = { width: 360, height: 800 }
const DESKTOP = { width: 1440, height: 900 }

/** The maximum distance in px from the top of the window to the content, by screen size (SHELL-1). */
const CONTENT_TOP_LIMITS = [
  { size: PHONE, maxTop: 128 },
  { size: DESKTOP, maxTop: 250 },
]

/** Returns the top in px of the first element below the title row. On the home page it is the rotating banner. */
const measureContentTop = (page: Page) =>
  page.evaluate(() => {
    const parts = document.querySelectorAll('main > :not([data-head]), main [aria-roledescription=carousel]')
    const visibleParts = [...parts].map((element) => element.getBoundingClientRect()).filter(({ height }) => height > 0)
    return Math.round(Math.min(...visibleParts.map(({ top }) => top)))
  })

/** Returns the headings whose text is cut off */
const findCutHeadings = (page: Page) =>
  page.evaluate(() => {
    // A line of text can be some pixels higher than its box.
    const isCut = (heading: Element) =>
      heading.scrollWidth > heading.clientWidth + 1 || heading.scrollHeight > heading.clientHeight + 6
    const headings = [...document.querySelectorAll('h1:not(.visually-hidden)')]
    return headings
      .filter((heading) => heading.getClientRects().length > 0 && isCut(heading))
      .map((heading) => heading.textContent)
  })

/** The maximum gap between a page's end and the foot on a desktop, in px. */
const GAP_MAX = 250

/** Returns the gap in px between the foot and the lower end of content and side panel; a scene counts as content */
const measureGap = (page: Page) =>
  page.evaluate(() => {
    if (document.querySelector('main > [data-scene]')) return 0
    const footBox = document.querySelector('[aria-label="More of the site"]')?.getBoundingClientRect()
    const parts = [...document.querySelectorAll('main > :not([data-head]), aside > *')]
    return footBox === undefined
      ? 0
      : Math.round(footBox.top - Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)))
  })

/** The path of one page of each kind, opened in every run. A drill opens all pages. */
const SAMPLE_PATHS = new Set([
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

/** Expects that a page shows its whole title, and that its content begins high enough and ends near the foot. */
async function expectContentFirst(page: Page): Promise<void> {
  for (const { size, maxTop } of CONTENT_TOP_LIMITS) {
    await page.setViewportSize(size)
    expect.soft(await measureContentTop(page), `top of the content at ${size.width} px`).toBeLessThanOrEqual(maxTop)
    expect.soft(await findCutHeadings(page), `cut headings at ${size.width} px`).toEqual([])
  }
  expect.soft(await measureGap(page), 'gap above the foot').toBeLessThanOrEqual(GAP_MAX)
}

/**
 * Opens a page on a phone, on a desktop, and on a phone with text at 200 %, and expects that nothing scrolls sideways.
 */
async function inspectPage(context: BrowserContext, path: string, crumb: string): Promise<void> {
  const page = await context.newPage()
  await page.setViewportSize(PHONE)
  const consoleErrors: string[] = []
  page.on('console', (message) => {
    const isExpected = path === UNKNOWN_PATH && message.text().includes('404')
    if (['error', 'warning'].includes(message.type()) && !isExpected) consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  await openHydrated(page, path)
  await expect(page).toHaveTitle(`${crumb} | Tambayan Online`)
  await expect(page.locator('h1')).toHaveCount(1)
  const excludedSelectors = path === ROUTES[0]?.[0] || path === PLAYER_ROUTES[0]?.[0] ? [] : FRAME
  if (!IS_DRILL) await expectAccessible(page, excludedSelectors)
  await expectGoodPage(page, excludedSelectors)
  await expectContentFirst(page)
  expect(consoleErrors).toEqual([])
  await page.setViewportSize(PHONE)
  const cdpSession = await context.newCDPSession(page)
  await cdpSession.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.close()
}

for (const { who, routes } of [
  { who: 'guests', routes: ROUTES },
  { who: 'players', routes: PLAYER_ROUTES },
])
  test(`pages of ${who} fit every screen, begin with content, and log no errors (SHELL-1)`, async ({ browser }) => {
    test.setTimeout(IS_DRILL ? 1_200_000 : 540_000)
    // One context for all pages, so scripts and pictures are downloaded once.
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    if (who === 'players') await storeSession(context)
    for (const [path, crumb] of routes)
      if (IS_DRILL || SAMPLE_PATHS.has(path)) await test.step(path, () => inspectPage(context, path, crumb))
    await context.close()
  })

/** Addresses with parameters that the rendered document lacks, because only the browser reads them. */
const BROWSER_ADDRESSES = [
  '/login?next=/topup&add=5',
  '/login?verified=1',
  '/register?invite=abc',
  '/discord?code=abc&state=def',
  '/resetpassword?token=abc',
  '/undoemail?token=abc',
  '/keepaccount?token=abc',
  '/unsubscribe?token=abc',
  '/offline?to=/news',
  '/itemshop/5?gift=1&to=maria',
]

test('documents hydrate without an error if their address has parameters of the browser', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`${page.url()} ${error.message}`))
  for (const address of BROWSER_ADDRESSES) await openHydrated(page, address)
  expect(errors).toEqual([])
})
