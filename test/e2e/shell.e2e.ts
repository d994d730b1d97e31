import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { ROTATOR } from '#contract/limits.ts'
import { openHydrated, waitForHydration } from './hydrated.ts'
import { storeSession } from './log-in.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const measureHeight = async (page: Page, selector: string) =>
  Math.round((await page.locator(selector).boundingBox())?.height ?? 0)

const PHONE = { width: 360, height: 800 }
const readFades = (numbers: Locator) =>
  numbers.evaluate((box) => ['--fade-start', '--fade-end'].map((side) => getComputedStyle(box).getPropertyValue(side)))

const GUEST_SHOP = ['Item Shop']
const PLAYER_SHOP = ['Item Shop', 'Top Up R-Coin', 'Shopping Cart', 'Purchase History', 'Top Up History']
const LOGIN_PAGE_SHOP = ['Item Shop', 'Top Up R-Coin', 'Purchase History', 'Shopping Cart']

const findShopLinks = (page: Page) => page.locator('header [data-column]', { hasText: 'Shop' }).locator('ul a:visible')

test.describe('the clock', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('shows the server’s time in Manila, whatever the visitor’s zone and clock, and ticks', async ({ page }) => {
    await page.addInitScript(() => {
      const shift = 3 * 365 * 86_400_000
      const realNow = Date.now.bind(Date)
      Date.now = () => realNow() + shift
    })
    await page.goto('/')
    const clock = page.locator('header time').first()
    await expect(clock).toContainText('GMT+08:00')
    const manilaTime = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Manila', hour: '2-digit', minute: '2-digit' })
    await expect(async () => {
      expect(await clock.innerText()).toContain(manilaTime.format(new Date()))
    }).toPass({ timeout: 10_000 })
    const shownTime = await clock.innerText()
    await expect(clock).not.toHaveText(shownTime)
  })
})

test('the rotator is 615 by 210 px, moves through the banners in order and stops under the mouse', async ({ page }) => {
  await page.clock.install()
  await openHydrated(page, '/')
  const rotator = page.getByRole('region', { name: 'Banners' })
  const box = await rotator.boundingBox()
  expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([615, 210])
  const readCurrentBanner = () => rotator.locator('button[aria-current]').innerText()
  expect(await readCurrentBanner()).toBe('1')
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  const shownBanner = Number(await readCurrentBanner())
  for (const next of [shownBanner + 1, shownBanner + 2]) {
    await page.clock.runFor(ROTATOR.slideMs)
    await expect.poll(readCurrentBanner).toBe(String(next))
  }
  await rotator.hover()
  const heldBanner = await readCurrentBanner()
  await page.clock.runFor(3 * ROTATOR.slideMs)
  expect(await readCurrentBanner()).toBe(heldBanner)
  const bannerButton = await rotator.locator('button[aria-label^="Banner 1"]').boundingBox()
  expect([Math.round(bannerButton?.width ?? 0), Math.round(bannerButton?.height ?? 0)]).toEqual([24, 24])
  await rotator.getByRole('button', { name: /^Banner 5/ }).click()
  expect(await readCurrentBanner()).toBe('5')
  await test.step('it does not move for people who prefer less motion', async () => {
    await page.clock.resume()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openHydrated(page, '/')
    await page.clock.runFor(3 * ROTATOR.slideMs)
    expect(await readCurrentBanner()).toBe('1')
  })
})

test('the menu opens by pointer and keys, banners refresh, and two submits send one login', async ({ page }) => {
  await openHydrated(page, '/')
  await test.step('the menu grows from 90 to 360 px on hover and focus; Escape closes it', async () => {
    const menuSelector = 'header nav[aria-label="Main menu"]'
    const guide = page.locator('header [data-column] > a', { hasText: 'Guide' })
    expect(await measureHeight(page, menuSelector)).toBe(90)
    await guide.hover()
    await expect.poll(() => measureHeight(page, menuSelector)).toBe(360)
    await page.mouse.move(700, 800)
    await expect.poll(() => measureHeight(page, menuSelector)).toBe(90)
    await guide.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => measureHeight(page, menuSelector)).toBe(360)
    await expect(page.locator(':focus')).toHaveText('Story')
    await page.keyboard.press('ArrowDown')
    await expect(page.locator(':focus')).toHaveText('Character')
    await page.keyboard.press('Escape')
    await expect.poll(() => measureHeight(page, menuSelector)).toBe(90)
    await expect(page.locator(':focus')).toContainText('Guide')
  })
  await test.step('the banners refresh from the rotator’s menu', async () => {
    await page.getByLabel('Banner options').click()
    const refreshRequest = page.waitForRequest(/\/api\/getSiteBanners/)
    await page.getByRole('region', { name: 'Banners' }).getByRole('button', { name: 'Refresh' }).click()
    await refreshRequest
    await expect(page.getByText('The banners are up to date.')).toBeVisible()
  })
  await test.step('two submits in the same instant send one login', async () => {
    let loginCount = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/processlogin')) loginCount += 1
    })
    const card = page.getByRole('region', { name: 'Your account' }).first()
    await card.getByLabel('User ID').fill('juan')
    await card.getByLabel('Password').fill('not-the-password')
    const loginAnswer = page.waitForResponse('**/api/processlogin')
    await card.locator('form').evaluate((form: HTMLFormElement) => {
      form.requestSubmit()
      form.requestSubmit()
    })
    await loginAnswer
    expect(loginCount).toBe(1)
    // The next attempt is sent again.
    await Promise.all([
      page.waitForResponse('**/api/processlogin'),
      card.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit()),
    ])
    expect(loginCount).toBe(2)
  })
})

/**
 * Opens a page on a phone as a first visit, and expects at most `maxRequests` requests. Excludes lazy pictures and icons,
 * because browsers differ in when they load them. The measurement `first-visit` of bench/life.ts counts them, too.
 */
async function openFirstVisit(browser: Browser, path: string, maxRequests: number): Promise<Page> {
  const page = await browser.newPage({ viewport: PHONE, hasTouch: true, reducedMotion: 'reduce' })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  // The test counts requests, so it must wait for the last one.
  const answer = await page.goto(path, { waitUntil: 'networkidle' })
  expect(answer?.status()).toBe(200)
  const laterRequests = await page
    .locator('img[loading=lazy], link[rel~=icon]')
    .evaluateAll((elements) =>
      elements.map((element) =>
        element instanceof HTMLImageElement ? element.currentSrc : (element as HTMLLinkElement).href,
      ),
    )
  // The styles are inlined.
  expect(requests.filter((url) => url.endsWith('.css'))).toEqual([])
  const earlyRequests = requests.filter((url) => !laterRequests.includes(url))
  expect(earlyRequests.length, earlyRequests.join('\n')).toBeLessThanOrEqual(maxRequests)
  return page
}

test('on a phone a first visit sends at most 26 requests plus icons, and the menu is a drawer', async ({ browser }) => {
  const page = await openFirstVisit(browser, '/', 26)
  await page.getByRole('navigation', { name: 'Quick links' }).getByText('Menu').click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer).toBeVisible()
  await drawer.locator('summary', { hasText: 'Guide' }).click()
  await expect(drawer.getByRole('link', { name: 'Game System' })).toBeVisible()
  await drawer.locator('summary', { hasText: 'Support' }).click()
  await expect(drawer.getByRole('link', { name: 'Check My Ticket' })).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'Game System' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await page.close()
})

test('on a phone a first visit to the shop sends at most 39 requests, and its pager fades', async ({ browser }) => {
  const page = await openFirstVisit(browser, '/itemshop', 39)
  const numbers = page.getByRole('navigation', { name: /page/i }).locator('div').first()
  await numbers.scrollIntoViewIfNeeded()
  expect((await numbers.boundingBox())?.height).toBe(44)
  await expect.poll(() => readFades(numbers)).toEqual(['0px', '32.4px'])
  await numbers.evaluate((box) => box.scrollTo({ left: 60, behavior: 'instant' }))
  await expect.poll(() => readFades(numbers)).toEqual(['32.4px', '32.4px'])
  await numbers.evaluate((box) => box.scrollTo({ left: 9999, behavior: 'instant' }))
  await expect.poll(() => readFades(numbers)).toEqual(['32.4px', '0px'])
  await page.setViewportSize({ width: 1440, height: 900 })
  await openHydrated(page, '/itemshop')
  expect(await readFades(numbers)).toEqual(['0px', '0px'])
  await page.close()
})

test('a desktop at 200 % shows the whole name, title and texts of the buttons to a player', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 450 })
  await storeSession(page)
  await openHydrated(page, '/shoppingcart')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: /R-Coin.*Milleage/ })).toContainText('.00')
  await page.evaluate(() => document.fonts.ready)
  const name = await header.getByText('Tambayan').first().boundingBox()
  const balances = await header.getByRole('link', { name: /R-Coin.*Milleage/ }).boundingBox()
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(balances?.x ?? 0)
  const [titleWidth, textWidth] = await page.locator('h1').evaluate((title) => {
    const width = title.getBoundingClientRect().width
    Object.assign(title.style, { position: 'fixed', width: 'max-content' })
    return [width, title.getBoundingClientRect().width]
  })
  expect(titleWidth).toBeGreaterThanOrEqual(textWidth ?? 0)
  await openHydrated(page, '/itemshop')
  const addButton = page.getByRole('button', { name: /^Add to cart/ }).first()
  const [text, button] = await addButton.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return [range.getBoundingClientRect().width, element.clientWidth]
  })
  expect(text).toBeLessThanOrEqual(button ?? 0)
})

test('with the colors of the system, buttons have an edge and the current tab is marked', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openHydrated(page, '/rankings')
  const readOutline = (name: string) =>
    page
      .getByRole('main')
      .getByRole('link', { name, exact: true })
      .first()
      .evaluate((tab) => getComputedStyle(tab).outlineStyle)
  expect(await readOutline('Level')).toBe('solid')
  expect(await readOutline('Killer')).toBe('none')
  await openHydrated(page, '/login')
  const loginButton = page.getByRole('main').getByRole('button', { name: 'Login', exact: true })
  expect(await loginButton.evaluate((button) => getComputedStyle(button, '::before').borderTopWidth)).toBe('1px')
})

test('the button “Back to the top” appears after scrolling, and scrolls to the top', async ({ page }) => {
  await openHydrated(page, '/rankings')
  await page.mouse.wheel(0, 3000)
  const backToTop = page.getByLabel('Back to the top')
  await expect(backToTop).toBeVisible()
  await backToTop.click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
})

/** Records layout shifts from the load of the page. @returns a function that expects that there were none */
async function watchShifts(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const layoutShifts: { value: number; moved: (string | undefined)[] }[] = []
    Object.assign(window, { shifts: layoutShifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Element }[] })[])
        layoutShifts.push({
          value: entry.value,
          moved: entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120)),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    const layoutShifts = await page.evaluate(
      () => (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
    )
    const sum = layoutShifts.reduce((total, { value }) => total + value, 0)
    expect(sum, JSON.stringify(layoutShifts, null, 2)).toBeLessThan(0.005)
  }
}

/** Expects the links that the menu of the shop shows under the pointer. */
async function expectShopLinks(page: Page, labels: string[]): Promise<void> {
  await page.locator('header [data-column] > a', { hasText: 'Shop' }).hover()
  await expect(findShopLinks(page)).toHaveText(labels)
}

test('a login changes the account panel and the shop menu without a shift of the page', async ({ page }) => {
  const panelSelector = 'section[aria-label="Your account"] >> nth=0'
  await openHydrated(page, '/')
  const guestHeight = await measureHeight(page, panelSelector)
  await expectShopLinks(page, GUEST_SHOP)
  await page.goto('/login')
  await expectShopLinks(page, LOGIN_PAGE_SHOP)
  await page.mouse.move(700, 800)
  await storeSession(page)
  const expectNoShift = await watchShifts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForSelector('section[aria-label="Your account"]')
  await expect(page.locator('html')).toHaveAttribute('data-session', 'in')
  const card = page.getByRole('region', { name: 'Your account' }).first()
  await expect(card.getByText('juan', { exact: true })).toBeVisible()
  await expect(card.getByText('R-Coin', { exact: true })).toBeVisible()
  await expect(card.getByText(/^[\d,]+\.00$/)).toHaveCount(2)
  await expect(card.getByText('Milleage', { exact: true })).toBeVisible()
  await expect(card.getByRole('link', { name: 'My Account' })).toHaveAttribute('href', '/user')
  expect(await measureHeight(page, panelSelector)).toBe(guestHeight)
  await waitForHydration(page)
  await page.waitForTimeout(1000)
  await expectNoShift()
  await expectShopLinks(page, PLAYER_SHOP)
})

test('the home page shifts nothing while it arrives in pieces over a slow connection', async ({ page, context }) => {
  await page.setViewportSize({ width: 412, height: 823 })
  const expectNoShift = await watchShifts(page)
  const network = { offline: false, latency: 20, downloadThroughput: 20_000, uploadThroughput: 20_000 }
  await (await context.newCDPSession(page)).send('Network.emulateNetworkConditions', network)
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await expectNoShift()
})
