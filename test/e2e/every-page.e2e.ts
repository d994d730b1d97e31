import { expect, type Page, test } from '@playwright/test'
import { findHiddenSelectors, VISIBLE_CASES, type VisibleSelector } from './first-screen.ts'
import { expectAccessible, expectGoodScreen, IS_DRILL } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'
import { PLAYER_ROUTES, ROUTES } from './routes.ts'
import { findStyleConflicts } from './style-conflicts.ts'

// Allowed, because blocking service workers prints a warning.
test.use({ serviceWorkers: 'allow' })

const UNKNOWN_PATH = '/nowhere'

const PHONE = { width: 360, height: 800 }
const DESKTOP = { width: 1440, height: 900 }

/** The screens on which each page is inspected. The content begins at most `maxTop` px below the top (SHELL-1). */
const SCREENS = [
  { kind: 'phone', size: PHONE, maxTop: 128 },
  { kind: 'desktop', size: DESKTOP, maxTop: 250 },
] as const

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

/** Pages with a single form or notice, which have a scene below it. */
const SCENE_PATHS = new Set([
  '/login',
  '/findaccount',
  '/resetpassword',
  '/offline',
  '/nowhere',
  '/error',
  '/changepassword',
])

/** The pages that together have all components of guests. */
const STYLE_PATHS = new Set([
  '/',
  '/characters',
  '/news',
  '/itemshop',
  '/itemshop/5',
  '/rankings',
  '/events',
  '/ticket',
  '/register',
])

type Visitor = 'guest' | 'player'

/** The expectations of a page, apart from the rules for all pages. */
type PageChecks = {
  path: string
  crumb: string | undefined
  /** Whether the page is opened for axe, its title and its content. */
  isSample: boolean
  visibleSelectors: Record<'phone' | 'desktop', VisibleSelector[]>
}

/** Lists the pages of a run with their checks. */
function listChecks(who: Visitor): PageChecks[] {
  const routes = who === 'guest' ? ROUTES : PLAYER_ROUTES
  const samples = routes.filter(([path]) => IS_DRILL || SAMPLE_PATHS.has(path))
  const cases = VISIBLE_CASES.filter((visibleCase) => visibleCase.who.includes(who))
  const paths = new Set([...samples.map(([path]) => path), ...cases.map(({ path }) => path)])
  return [...paths].map((path) => {
    const pageCases = cases.filter((visibleCase) => visibleCase.path === path)
    return {
      path,
      crumb: routes.find(([routePath]) => routePath === path)?.[1],
      isSample: samples.some(([samplePath]) => samplePath === path),
      visibleSelectors: {
        phone: pageCases.flatMap(({ phone }) => phone),
        desktop: pageCases.flatMap(({ desktop }) => desktop),
      },
    }
  })
}

/** Expects that elements are completely visible without scrolling. */
const expectVisible = (page: Page, selectors: readonly VisibleSelector[]) =>
  expect.soft(async () => expect(await findHiddenSelectors(page, selectors)).toEqual([])).toPass({ timeout: 10_000 })

/** Expects that a page shows its whole title, and that its content begins high enough. */
async function expectContentFirst(page: Page, { width }: typeof PHONE, maxTop: number): Promise<void> {
  expect.soft(await measureContentTop(page), `top of the content at ${width} px`).toBeLessThanOrEqual(maxTop)
  expect.soft(await findCutHeadings(page), `cut headings at ${width} px`).toEqual([])
}

/** Expects that a picture of the school fills the window below the content (SHELL-17). */
async function expectScene(page: Page): Promise<void> {
  const scene = await page.evaluate(() => {
    const box = document.querySelector('main')?.parentElement
    if (!box) return undefined
    return { bottom: box.getBoundingClientRect().bottom, picture: getComputedStyle(box, '::before').backgroundImage }
  })
  expect.soft(scene?.picture).toContain('stage-home')
  expect.soft(scene?.bottom).toBeGreaterThanOrEqual(DESKTOP.height)
}

/** Inspects an open page on a phone, on a desktop, and on a phone with text at 200 %. */
async function inspectPage(page: Page, checks: PageChecks, setFontSize: (px: number) => Promise<void>): Promise<void> {
  const { path, isSample, visibleSelectors } = checks
  const excludedSelectors = path === ROUTES[0]?.[0] || path === PLAYER_ROUTES[0]?.[0] ? [] : FRAME
  for (const { kind, size, maxTop } of SCREENS) {
    await page.setViewportSize(size)
    await expectVisible(page, visibleSelectors[kind])
    if (isSample && kind === 'phone' && !IS_DRILL) await expectAccessible(page, excludedSelectors)
    else await expectGoodScreen(page, excludedSelectors)
    if (isSample) await expectContentFirst(page, size, maxTop)
    if (STYLE_PATHS.has(path))
      expect.soft(await findStyleConflicts(page), `conflicting styles at ${size.width} px`).toEqual([])
  }
  if (SCENE_PATHS.has(path)) await expectScene(page)
  if (!isSample) return
  expect.soft(await measureGap(page), 'gap above the foot').toBeLessThanOrEqual(GAP_MAX)
  await page.setViewportSize(PHONE)
  await setFontSize(32)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await setFontSize(16)
}

for (const who of ['guest', 'player'] as const)
  test(`pages of a ${who} fit every screen, begin with their content and log no errors (SHELL-1)`, async ({
    browser,
  }) => {
    test.setTimeout(IS_DRILL ? 1_200_000 : 540_000)
    // One page for all addresses, so scripts and pictures are loaded once.
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: PHONE })
    if (who === 'player') await storeSession(context)
    const page = await context.newPage()
    const consoleErrors: string[] = []
    page.on('console', (message) => {
      const isExpected = page.url().endsWith(UNKNOWN_PATH) && message.text().includes('404')
      if (['error', 'warning'].includes(message.type()) && !isExpected) consoleErrors.push(message.text())
    })
    page.on('pageerror', (error) => consoleErrors.push(error.message))
    const cdpSession = await context.newCDPSession(page)
    const setFontSize = async (px: number) => {
      await cdpSession.send('Page.setFontSizes', { fontSizes: { standard: px, fixed: Math.round((px * 13) / 16) } })
      await expect(page.locator('html')).toHaveCSS('font-size', `${px}px`)
    }
    for (const checks of listChecks(who))
      await test.step(checks.path, async () => {
        await page.setViewportSize(PHONE)
        await openHydrated(page, checks.path)
        if (checks.crumb !== undefined) await expect(page).toHaveTitle(`${checks.crumb} | Tambayan Online`)
        await expect(page.locator('h1')).toHaveCount(1)
        await inspectPage(page, checks, setFontSize)
        expect(consoleErrors).toEqual([])
      })
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
