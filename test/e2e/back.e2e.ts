import { expect, type Page, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })

const findQuickLinks = (page: Page) => page.getByRole('navigation', { name: 'Quick links' })
const readScrollTop = (page: Page) => page.evaluate(() => Math.round(scrollY))

test('Back closes open dialogs before it leaves the page, and a dialog holds the focus', async ({ page }) => {
  await storeSession(page)
  await test.step('Back closes the menu, the search and the purchase dialog before it leaves the page', async () => {
    await openHydrated(page, '/news')
    await findQuickLinks(page).getByRole('link', { name: 'Shop' }).click()
    await expect(page).toHaveURL('/itemshop')
    const openActions = [
      () => findQuickLinks(page).getByText('Menu').click(),
      () => findQuickLinks(page).getByText('Search').click(),
      () => page.getByRole('button', { name: 'Buy now' }).first().click(),
    ]
    for (const open of openActions) {
      await open()
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(page).toHaveURL('/itemshop')
      // A dialog closed with Escape leaves no history entry.
      await open()
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.goBack()
    await expect(page).toHaveURL('/news')
  })
  await test.step('a dialog begins at its title, holds the focus, and nothing behind it can be reached', async () => {
    await openHydrated(page, '/itemshop')
    await page.getByRole('button', { name: 'Buy now' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading')).toBeFocused()
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab', { delay: 0 })
      expect(await page.evaluate(() => document.activeElement?.closest('header, main, aside, footer'))).toBeNull()
    }
    await expect(page.locator('main')).toHaveJSProperty('inert', false)
    expect(await page.locator('main').evaluate((main) => main.closest('[inert]') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Buy now' }).first()).toBeFocused()
  })
})

test('Back undoes a guest’s last link, filter, open sheet or page of a list', async ({ page }) => {
  await test.step('Back from a link in the menu or the search returns to the page with the dialog closed', async () => {
    await openHydrated(page, '/rankings')
    await findQuickLinks(page).getByText('Menu').click()
    await page.getByRole('dialog').getByRole('link', { name: 'Gallery' }).click()
    await expect(page).toHaveURL('/gallery')
    await findQuickLinks(page).getByText('Search').click()
    await page.getByRole('combobox').fill('archer')
    await page.getByRole('combobox').press('Enter')
    await expect(page).not.toHaveURL('/gallery')
    await expect(page.getByRole('dialog')).toBeHidden()
    for (const path of ['/gallery', '/rankings']) {
      await page.goBack()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.goForward()
    await expect(page).toHaveURL('/gallery')
  })
  await test.step('another page of a list focuses the heading of the list; Back restores the scroll position', async () => {
    for (const [path, navigationName, listSelector] of [
      ['/itemshop', 'Pages of the item shop', '#shelf'],
      ['/news', /events/i, '#board-events'],
    ] as const) {
      await openHydrated(page, path)
      const next = page.getByRole('navigation', { name: navigationName }).getByRole('link', { name: 'Next' })
      await next.scrollIntoViewIfNeeded()
      const scrollBefore = await readScrollTop(page)
      await next.click()
      await expect(page).toHaveURL(/page=2/)
      await expect(page.locator(listSelector).getByRole('heading').first()).toBeFocused()
      const top = await page.locator(listSelector).evaluate((element) => element.getBoundingClientRect().top)
      expect(top).toBeGreaterThanOrEqual(0)
      expect(top).toBeLessThan(390)
      await page.goBack()
      await expect(page).not.toHaveURL(/page=2/)
      await expect.poll(() => readScrollTop(page)).toBe(scrollBefore)
    }
  })
  await test.step('Back undoes the filters of the rankings one by one', async () => {
    await openHydrated(page, '/rankings')
    await page.getByText('Filter', { exact: true }).first().click()
    await page.getByRole('navigation', { name: 'School' }).getByRole('link', { name: 'Phoenix' }).click()
    await expect(page).toHaveURL(/school=2/)
    await page.getByRole('navigation', { name: 'Class' }).getByRole('link', { name: 'archer' }).click()
    await expect(page).toHaveURL(/class=archer/)
    await page.getByRole('button', { name: /^Show \d+ players?$/ }).click()
    await page.goBack()
    await expect(page).toHaveURL(/school=2/)
    await expect(page).not.toHaveURL(/class=/)
    await page.goBack()
    await expect(page).toHaveURL('/rankings')
  })
  await test.step('Back closes the filter sheet of the rankings first, and then undoes the choice in it', async () => {
    await openHydrated(page, '/rankings')
    const school = page.getByRole('navigation', { name: 'School' })
    await page.getByText('All schools').click()
    await expect(school).toBeVisible()
    await page.goBack()
    await expect(school).toBeHidden()
    await page.getByText('All schools').click()
    await school.getByRole('link', { name: 'Phoenix' }).click()
    await expect(page).toHaveURL(/school=2/)
    await expect(school).toBeVisible()
    await page.goBack()
    await expect(school).toBeHidden()
    await expect(page).toHaveURL(/school=2/)
    await page.goBack()
    await expect(page).toHaveURL('/rankings')
  })
  await test.step('Back pressed before a chosen filter is shown closes the sheet and keeps the choice', async () => {
    await openHydrated(page, '/rankings')
    const school = page.getByRole('navigation', { name: 'School' })
    await page.getByText('All schools').click()
    await page.evaluate(() => {
      const replaceState = history.replaceState.bind(history)
      history.replaceState = (...entry) => {
        replaceState(...entry)
        setTimeout(() => history.back())
        history.replaceState = replaceState
      }
    })
    await school.getByRole('link', { name: 'Phoenix' }).click()
    await expect(school).toBeHidden()
    await expect(page.locator('#ranking label', { hasText: 'Phoenix' })).toBeVisible()
    await expect(page).toHaveURL(/school=2/)
  })
  await test.step('another page begins at its top, with the focus on its heading', async () => {
    await openHydrated(page, '/')
    await page.evaluate(() => scrollTo(0, 1500))
    await findQuickLinks(page).getByRole('link', { name: 'Rankings' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    expect(await readScrollTop(page)).toBe(0)
  })
})
