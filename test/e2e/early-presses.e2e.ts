import { expect, type Page, test } from '@playwright/test'
import { PHONE } from './desk.ts'
import { storeSession } from './log-in.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/**
 * Opens a page whose scripts arrive only when the test releases them, as on a slow phone.
 *
 * @returns a function that releases the scripts
 */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const { promise: scriptDelay, resolve: releaseScripts } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scriptDelay
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return releaseScripts
}

test('replays presses from before the scripts arrive, one for each button (SHELL-16)', async ({ page }) => {
  await storeSession(page)
  const releaseScripts = await openWithoutScripts(page, '/itemshop')
  const addButtons = page.getByRole('button', { name: 'Add to cart' })
  await addButtons.nth(0).click()
  // Further clicks on the same button come from impatience and must not add more items.
  await addButtons.nth(0).click()
  await addButtons.nth(1).click()
  await page
    .getByRole('button', { name: /^Buy now/ })
    .first()
    .click()
  const addedItems: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/addtocart')) addedItems.push(request.url())
  })
  releaseScripts()
  await expect(page.getByRole('dialog')).toContainText('Are you sure you want to buy this item?')
  await expect.poll(() => new Set(addedItems).size).toBe(2)
  expect(addedItems).toHaveLength(2)
})

test('checks a form that is submitted before the scripts arrive, and loses nothing (SHELL-16)', async ({ page }) => {
  const releaseScripts = await openWithoutScripts(page, '/ticket')
  const main = page.getByRole('main')
  await main.getByText('Payment and R-Coin', { exact: true }).click()
  await main.getByLabel('Subject').fill('The stairs of the library')
  await page.getByLabel('Add screenshots').setInputFiles('web/public/screenshots/home-phone.webp')
  await main.getByRole('button', { name: 'Submit Ticket' }).click()
  releaseScripts()
  await expect(main.getByText('Message is required.')).toBeVisible()
  await expect(main.getByText(/^Tell us the code, or the item/)).toBeVisible()
  await expect(main.getByText('home-phone.webp', { exact: true })).toBeVisible()
  await expect(main.getByLabel('Subject')).toHaveValue('The stairs of the library')
})

test('links, filters and the menu work before the scripts arrive (SHELL-16)', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openWithoutScripts(page, '/rankings')
  await page.getByRole('navigation', { name: 'Quick links' }).getByRole('link', { name: 'Menu' }).click()
  await expect(page).toHaveURL('/rankings#site-links')
  await page.getByRole('link', { name: 'Clubs' }).first().click()
  await expect(page).toHaveURL(/\/rankings\/club/)
})

test('replays a press on a page that was not found, and only once (SHELL-16)', async ({ page }) => {
  const releaseScripts = await openWithoutScripts(page, '/itemshop/99999')
  await page.getByRole('button', { name: 'Pause' }).click()
  releaseScripts()
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
})
