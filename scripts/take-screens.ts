import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { matchPath } from 'react-router'
import { storeSession } from '#test/e2e/log-in.ts'
import { PLAYER_ROUTES, ROUTES } from '#test/e2e/routes.ts'
import { SCREENS } from '#web/admin/screens.ts'
import { ensureBrowser } from './browser.ts'

/** Every page of the site, and a few of its views that have addresses. */
const ADDRESSES = new Set([
  ...[...ROUTES, ...PLAYER_ROUTES].map(([path]) => path),
  '/topic/45',
  '/rankings?tab=killer&school=2',
  '/rankings?tab=resu',
  '/characters?class=shaper',
  '/instructions?part=chat',
  '/search?q=brawler',
])

/** A phone, a tablet and a desktop computer, in pixels. */
export const WIDTHS = [360, 768, 1440]

export type Visit = { who: 'guest' | 'player'; address: string }

/** Returns every page whose address contains `addressPart`, logged out and logged in. */
export function listVisits(addressPart = ''): Visit[] {
  return [...ADDRESSES]
    .filter((address) => address.includes(addressPart))
    .flatMap((address): Visit[] => [
      { who: 'guest', address },
      { who: 'player', address },
    ])
}

/** Returns a file name for an address, without its extension. */
export const toFileName = (address: string) => address.replace(/^\//, '').replace(/[^a-z0-9]+/gi, '-') || 'home'

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
}

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>

/** Logs the player `juan` in on a site. @returns the session for a browser */
export async function logIn(browser: Browser, origin: string): Promise<Session> {
  const context = await browser.newContext({ baseURL: origin })
  await storeSession(context)
  const page = await context.newPage()
  await page.goto('/robots.txt')
  const session = await context.storageState()
  await context.close()
  return session
}

export type VisitOptions = {
  origin: string
  session: Session
  prepare?: (page: Page) => Promise<void>
  /** Runs at each width before the screenshot. */
  inspectPage?: (page: Page) => Promise<void>
}

/**
 * Opens a page in a new browser profile and takes a screenshot of the whole page at each width, after its fonts and
 * lazy images have loaded.
 *
 * @param prepare runs before the page opens
 */
export async function takeScreens(
  browser: Browser,
  { who, address }: Visit,
  widths: number[],
  { origin, session, prepare, inspectPage }: VisitOptions,
): Promise<Buffer[]> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: createViewport(widths[0] ?? 1440),
    reducedMotion: 'reduce',
    ...(who === 'player' && { storageState: session }),
  })
  context.setDefaultTimeout(60_000)
  try {
    const page = await context.newPage()
    await prepare?.(page)
    await page.goto(address, { waitUntil: 'networkidle' })
    return await takeAtWidths(page, widths, inspectPage)
  } finally {
    await context.close()
  }
}

/** Takes a screenshot of the whole open page at each width. */
export async function takeAtWidths(
  page: Page,
  widths: number[],
  inspectPage: VisitOptions['inspectPage'],
): Promise<Buffer[]> {
  const screenshots: Buffer[] = []
  for (const width of widths) {
    await page.setViewportSize(createViewport(width))
    await page.evaluate(loadAll)
    await inspectPage?.(page)
    screenshots.push(await page.screenshot({ fullPage: true, animations: 'disabled' }))
  }
  return screenshots
}

/** The pages of the desk, as paths in which `:name` is a parameter. */
const DESK_PAGES = SCREENS.flatMap(({ path, pages }) =>
  Object.keys(pages).map((subpath) => ['/admin', path, subpath].filter((addressPart) => addressPart !== '').join('/')),
)
/** The desk's pages without a parameter, and the addresses of the actions in its command palette. */
const DESK_ADDRESSES = [
  ...DESK_PAGES.filter((path) => !path.includes(':')),
  ...SCREENS.flatMap(({ actions = [] }) => actions.map(({ to }) => to)),
]

/**
 * Opens every page of the desk, and calls `visit` for those whose address contains `addressPart`. A page with
 * a parameter is opened once, at the first address that another page links to, with each of its tabs.
 */
export async function visitDesk(
  page: Page,
  addressPart: string,
  visit: (address: string) => Promise<void>,
): Promise<void> {
  const queue = [...DESK_ADDRESSES]
  const visitedAddresses = new Set<string>()
  const queuedPages = new Set<string>()
  for (const address of queue) {
    const [path = ''] = address.split('?')
    if (visitedAddresses.has(address)) continue
    visitedAddresses.add(address)
    await page.goto(address, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (address.includes(addressPart)) await visit(address)
    const hrefs = await page
      .locator('main a[href]')
      .evaluateAll((anchors) => anchors.map((link) => link.getAttribute('href')))
    for (const link of hrefs) {
      const [to = ''] = (link ?? '').split(/[?#]/)
      const hasNoParameter = DESK_PAGES.includes(to) || to.endsWith('/new')
      const matchedPage = DESK_PAGES.find((pagePath) => pagePath.includes(':') && matchPath(pagePath, to) !== null)
      if (link?.startsWith('?tab=') && address === path) queue.push(`${path}${link}`)
      if (hasNoParameter || matchedPage === undefined || queuedPages.has(matchedPage)) continue
      queuedPages.add(matchedPage)
      queue.push(to)
    }
  }
}

const createViewport = (width: number) => ({ width, height: width < 500 ? 780 : 900 })

/**
 * Runs in the page: loads its lazy images and waits for them and for the fonts. It does not scroll, because scrolling
 * would change the page.
 */
async function loadAll(): Promise<void> {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (const image of document.images) image.loading = 'eager'
  const isLoading = (image: HTMLImageElement) => !image.complete && image.getClientRects().length > 0
  for (let frame = 0; frame < 300 && [...document.images].some(isLoading); frame++) await nextFrame()
  await document.fonts.ready
  const loaded = [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0)
  await Promise.all(loaded.map((image) => image.decode().catch(() => {})))
  await nextFrame()
  await nextFrame()
}

/** Runs `work` for every item in order, several at a time. */
export async function forEachAtOnce<Item>(items: Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const iterator = items[Symbol.iterator]()
  const runWorker = async () => {
    for (const item of iterator) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, runWorker))
}
