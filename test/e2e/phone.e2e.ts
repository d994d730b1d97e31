import { expect, test } from '@playwright/test'
import { DOWNLOAD_TEXTS } from '#contract/downloads.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })

/** Edits responses so that a letter, a reward and a delivery wait for the player. The HTML already has the event. */
const RESPONSE_EDITS: Record<string, (answer: Record<string, unknown>) => unknown> = {
  '/api/mailbox/unread': (answer) => ({ ...answer, unread: 2 }),
  '/api/daily/own': (answer) => ({ ...answer, why_not: null }),
  '/api/shoppurchases': (answer) => ({
    ...answer,
    purchasehistory: [{ ...(answer.purchasehistory as object[])[0], deliveries: [{ state: 'queued', units: 1 }] }],
  }),
}

test('a player sees both balances in the header of the home page, the shop and the forum', async ({ page }) => {
  await storeSession(page, 'maria')
  for (const path of ['/', '/itemshop', '/forum/100']) {
    await openHydrated(page, path)
    const balanceLink = page.locator('header').getByRole('link', { name: /R-Coin.*Milleage/ })
    await expect(balanceLink).toBeInViewport()
    await expect(balanceLink).toHaveAttribute('href', '/topup')
    const user = await page.evaluate(() => JSON.parse(localStorage.getItem('USER_DATA') ?? '{}'))
    for (const amount of [user.UserPoint, user.UserPoint2]) {
      const formattedAmount = Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2 })
      await expect(balanceLink).toContainText(formattedAmount)
    }
  }
})

test('the side panel and the footer follow the content, and the bottom bar covers no focused link', async ({
  page,
}) => {
  await test.step('the section menu, the download and a folded footer follow the content, without shop ads', async () => {
    await openHydrated(page, '/login')
    const sidePanel = page.getByRole('complementary', { name: 'Side panel' })
    await expect(sidePanel.getByRole('navigation', { name: 'My Account' })).toBeVisible()
    await expect(page.getByRole('link', { name: /Redeem|Capsule/ })).toHaveCount(0)
    await expect(
      page.getByRole('region', { name: 'More of the site' }).getByRole('link', { name: /^Download/ }),
    ).toBeVisible()
    const siteNavigation = page.getByRole('navigation', { name: 'Site' })
    await expect(siteNavigation).toBeHidden()
    await page.getByText('All pages of the site').click()
    await expect(siteNavigation.getByRole('link', { name: 'Forum' })).toBeVisible()
  })
  await test.step('the bar at the bottom never covers the link that a keyboard has reached', async () => {
    await openHydrated(page, '/rankings')
    const quickLinks = page.getByRole('navigation', { name: 'Quick links' })
    const top = (await quickLinks.boundingBox())?.y ?? 0
    expect(top).toBeGreaterThan(700)
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab')
      const focusBottom = await page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom ?? 0)
      if ((await quickLinks.locator(':focus').count()) === 0)
        expect(focusBottom, `press ${press}`).toBeLessThanOrEqual(top)
    }
  })
})

test('the page of a player moves nothing while it loads, and the download link is mailed', async ({ page }) => {
  await storeSession(page)
  await test.step('no visible element moves while a player’s page loads on a slow phone', async () => {
    await page.addInitScript(() => {
      const layoutShifts: number[] = []
      Object.assign(window, { shifts: layoutShifts })
      type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries() as Shift[])
          if (!hadRecentInput) layoutShifts.push(value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    for (const path of ['/shoppurchases', '/topuphistory', '/wishlist', '/mailbox', '/capsuleshop', '/user']) {
      await openHydrated(page, path)
      await expect(page.locator('main [data-loading]:not([data-below] *)')).toHaveCount(0)
      const sum = await page.evaluate(() =>
        (window as unknown as { shifts: number[] }).shifts.reduce((total, value) => total + value, 0),
      )
      expect(sum, path).toBeLessThanOrEqual(0.05)
    }
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  })
  await test.step('the account page and the home page reserve the space of a player’s data before it arrives', async () => {
    for (const pagePath of ['/user', '/']) {
      const answerArrival = Promise.withResolvers<void>()
      for (const [path, editResponse] of Object.entries(RESPONSE_EDITS))
        await page.route(path, async (route) => {
          const answer = await route.fetch()
          const json = editResponse(await answer.json())
          await answerArrival.promise
          await route.fulfill({ response: answer, json })
        })
      await openHydrated(page, pagePath)
      const rows = page.locator('section[aria-labelledby=waiting] ul')
      const reservedBox = await rows.boundingBox()
      expect(await rows.getByRole('listitem').count()).toBe(0)
      answerArrival.resolve()
      // One more row if an event is today.
      await expect.poll(() => rows.getByRole('listitem').count()).toBeGreaterThanOrEqual(pagePath === '/' ? 4 : 3)
      expect(await rows.boundingBox(), pagePath).toEqual(reservedBox)
      for (const row of await rows.getByRole('link').all())
        expect((await row.boundingBox())?.height, pagePath).toBeGreaterThanOrEqual(44)
      await page.unrouteAll({ behavior: 'wait' })
    }
  })
  await test.step('a player gets the download link for a computer on the screen and by mail', async () => {
    await openHydrated(page, '/')
    await page.getByRole('main').getByRole('link', { name: 'Send the link to my computer' }).click()
    await expect(page.getByText(/\/downloads$/)).toBeVisible()
    await page.getByRole('button', { name: 'Mail it to me' }).click()
    await expect(page.getByText(DOWNLOAD_TEXTS.linkMailed)).toBeVisible()
  })
})
