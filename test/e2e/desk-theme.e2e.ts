import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { startSeparateSite } from './start-site.ts'

test('a look is made with the keyboard, previewed, published, and replaced by the original', async ({ browser }) => {
  test.slow()
  const site = await startSeparateSite()
  const context = await browser.newContext({ baseURL: site.origin, viewport: DESKTOP, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await openDesk(page, '/look', 'Look')
  await expectGoodScreen(page)

  await page.getByLabel('Name of this look').fill('Rainy season')
  const accent = page.getByRole('textbox', { name: 'Accent', exact: true })
  await accent.fill('#101010')
  await expect(page.getByText(/\d+ of \d+ pairs of colors are too close/)).toBeVisible()
  await expect(page.getByText(/Choose a lighter accent/)).toBeVisible()
  await page.getByRole('button', { name: 'Save the draft' }).press('Enter')
  await expect(accent).toBeFocused()
  await accent.fill('#7fe0ff')
  await expect(page.getByText(/All \d+ pairs of colors can be distinguished/)).toBeVisible()
  await page.getByRole('button', { name: 'Save the draft' }).press('Enter')
  await expect(page.getByText('The draft “Rainy season” was saved by gm')).toBeVisible()
  await page.getByLabel('Name of this look').fill('Dry season')
  await page.getByRole('button', { name: 'Save the draft' }).press('Enter')
  await expect(page.getByText('The draft “Dry season” was saved by gm')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show the draft' })).toHaveCount(1)

  await page.getByRole('button', { name: 'Show the draft' }).press('Enter')
  const preview = page.frameLocator('iframe')
  await expect(preview.getByText('Preview. Readers do not see this.')).toBeVisible()
  const readPreviewSignal = () =>
    preview.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--signal'))
  expect(await readPreviewSignal()).toBe('#7fe0ff')
  await page.getByRole('button', { name: 'Rankings', exact: true }).press('Enter')
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Level Ranking')
  expect(await readPreviewSignal()).toBe('#7fe0ff')

  await page.getByRole('button', { name: 'Publish the draft' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish the draft' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Players see “Dry season”' })).toBeVisible()
  const playerPage = await context.newPage()
  await playerPage.goto('/')
  const readSignalColor = () =>
    playerPage.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--signal'))
  expect(await readSignalColor()).toBe('#7fe0ff')

  await page.setViewportSize(PHONE)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to the original' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Back to the original' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Players see “Original”' })).toBeVisible()
  await playerPage.reload()
  expect(await readSignalColor()).toBe('#ffd21f')
  await context.close()
  await site.stop()
})
