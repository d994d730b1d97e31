import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectGoodPage } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'

/** Opens a page, and waits until its scripts run and the clock shows the time. */
async function openWithClock(page: Page, path: string): Promise<void> {
  await openHydrated(page, path)
  await expect(page.getByRole('banner').locator('time')).toHaveAttribute('datetime', /\d/)
}
const findSearchBox = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const findSearchField = (page: Page) => findSearchBox(page).getByRole('combobox')
const findChosenOption = (page: Page) => findSearchBox(page).locator('[role=option][aria-selected=true]')

test('the search opens by keys, shows results and errors, and returns the focus', async ({ page }) => {
  await test.step('a slash opens the search, typing shows results, arrows choose one, and Enter opens it', async () => {
    await openWithClock(page, '/rankings')
    await page.keyboard.press('/')
    await expect(findSearchField(page)).toBeFocused()
    await expect(findSearchField(page)).toHaveValue('')

    await page.keyboard.type('brawl')
    await expect(findChosenOption(page)).toContainText('Brawler')
    await expect(findSearchBox(page).locator('mark').first()).toHaveText(/brawl/i)
    await expect(findSearchBox(page).getByRole('status')).toHaveText(/results? for “brawl”/)
    const firstId = await findChosenOption(page).getAttribute('id')
    await expect(findSearchField(page)).toHaveAttribute('aria-activedescendant', firstId ?? '')
    await page.keyboard.press('ArrowDown')
    await expect(findChosenOption(page)).not.toHaveAttribute('id', firstId ?? '')
    await page.keyboard.press('ArrowUp')
    await expect(findChosenOption(page)).toHaveAttribute('id', firstId ?? '')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/characters\?class=brawler$/)
    await expect(findSearchBox(page)).toBeHidden()

    await page.keyboard.press('Control+k')
    await findSearchBox(page).getByRole('button', { name: 'brawl', exact: true }).click()
    await expect(findSearchField(page)).toHaveValue('brawl')
    await expect(findChosenOption(page)).toContainText('Brawler')
    await page.keyboard.press('ArrowUp')
    await expect(findChosenOption(page)).toContainText('All results for “brawl”')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/search\?q=brawl$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search')
  })
  await test.step('Escape closes the box and returns the focus; a slash in a field types a slash', async () => {
    await openWithClock(page, '/findaccount')
    const link = page.getByRole('banner').getByRole('link', { name: 'Search' })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(findSearchField(page)).toBeFocused()
    await page.keyboard.type('a/b')
    await expect(findSearchField(page)).toHaveValue('a/b')
    await page.keyboard.press('Escape')
    await expect(findSearchBox(page)).toHaveCount(0)
    await expect(link).toBeFocused()

    const mainField = page.getByRole('main').getByRole('textbox').first()
    await mainField.click()
    await page.keyboard.type('/')
    await expect(mainField).toHaveValue('/')
    await expect(findSearchBox(page)).toHaveCount(0)
  })
  await test.step('a search without a response shows an error, and the next search works', async () => {
    await openWithClock(page, '/story')
    await page.keyboard.press('Control+k')
    await expect(findSearchField(page)).toBeFocused()
    await page.route('**/api/search?**', (route) => route.abort())
    await page.keyboard.type('zzzz')
    await expect(findSearchBox(page).getByRole('alert')).toHaveText('Network error. Please check your connection.')
    await page.unroute('**/api/search?**')
    await findSearchField(page).fill('xqxqxq')
    await expect(findSearchBox(page)).toContainText('Nothing by that name.')
  })
})

test('the search page and the search box fit a phone and a desktop, and the box is accessible', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await openWithClock(page, '/search?q=rooftop')
  await expectGoodPage(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.getByRole('navigation', { name: 'Quick links' }).getByRole('link', { name: 'Search' }).click()
  await expect(findSearchField(page)).toBeFocused()
  await page.keyboard.type('umbrella')
  await expect(findChosenOption(page)).toBeVisible()
  await expectAccessible(page)
  await expectGoodPage(page)
})
