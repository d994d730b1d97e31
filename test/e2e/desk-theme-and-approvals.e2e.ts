import { type Browser, expect, test } from '@playwright/test'
import type { StartedProgram } from '../../scripts/start-site.ts'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { storeSession } from './log-in.ts'
import { startSeparateSite } from './start-site.ts'

/** A separate site, because its players see the published look, and a player becomes an operator. */
let site: StartedProgram

test.beforeAll(async () => {
  site = await startSeparateSite()
})

test.afterAll(() => site.stop())

test('a theme is made with the keyboard, previewed, published, and replaced by the original', async ({ browser }) => {
  test.slow()
  const context = await browser.newContext({ baseURL: site.origin, viewport: DESKTOP, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await openDesk(page, '/look', 'Theme')
  await expectGoodScreen(page)

  await page.getByLabel('Name of this theme').fill('Rainy season')
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
  await page.getByLabel('Name of this theme').fill('Dry season')
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
})

/** Opens an operator's browser on the separate site. */
async function openAs(browser: Browser, userId: 'juan' | 'gm', viewport: typeof PHONE) {
  const context = await browser.newContext({ baseURL: site.origin, viewport, reducedMotion: 'reduce' })
  await storeSession(context, userId)
  return context.newPage()
}

test('a balance change above the limit waits until another operator approves it', async ({ browser }) => {
  const owner = await openAs(browser, 'gm', DESKTOP)
  await owner.goto('/admin/staff?invite=1')
  await owner.getByLabel('User ID').fill('juan')
  await owner.getByLabel('Role').selectOption({ label: 'Shop' })
  await owner.getByRole('button', { name: 'Invite', exact: true }).click()
  const juan = await openAs(browser, 'juan', PHONE)
  await juan.goto('/admin')
  await juan.getByLabel('Password', { exact: true }).fill('juan-demo-1')
  await juan.getByRole('button', { name: 'Accept' }).click()
  await expect(juan.getByRole('navigation', { name: 'Quick links' })).toBeVisible()
  await owner.goto('/admin/players?q=juan')
  await owner.getByRole('link', { name: 'juan Staff', exact: true }).click()
  await expect(owner.getByText('juan is staff: ')).toBeVisible()
  await expectGoodScreen(owner)

  await juan.goto('/admin/players?q=maria')
  await juan.getByRole('link', { name: 'maria', exact: true }).click()
  await juan.getByRole('button', { name: 'Change a balance' }).click()
  await juan.getByLabel('Amount').fill('150,000')
  await juan.getByLabel('Reason').fill('First prize of the fiesta')
  await juan.getByRole('button', { name: 'Change the balance' }).click()
  await juan.locator('[data-sonner-toast]').getByRole('link', { name: 'Approvals' }).click()
  await expect(juan.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible()
  await expect(juan.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  await expect(juan.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expectGoodScreen(juan)

  await owner.goto('/admin/approvals?state=waiting')
  await owner.getByText('All the details').click()
  await expect(owner.getByText('First prize of the fiesta')).toBeVisible()
  await expectGoodScreen(owner)
  await owner.getByRole('button', { name: 'Approve' }).click()
  const dialog = owner.getByRole('dialog', { name: 'Approve this?' })
  await expectGoodScreen(owner)
  await dialog.getByRole('button', { name: 'Approve and do it now' }).click()
  await expect(dialog).toBeHidden()
  await owner.goto('/admin/approvals?state=done')
  await expect(owner.getByText('Decided by')).toBeVisible()
  await owner.goto('/admin/players?q=maria')
  await owner.getByRole('link', { name: 'maria', exact: true }).click()
  await expect(owner.getByText('150,000').first()).toBeVisible()

  await juan.reload()
  await expect(juan.getByRole('list', { name: 'Approvals' }).getByText('Done', { exact: true })).toBeVisible()
  await expectGoodScreen(juan)

  // A form closes without a prompt when its change waits for an approval.
  await juan.goto('/admin/items/1')
  await juan.getByLabel('Number in the game').fill('4711')
  await juan.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(juan.getByText('Another operator has to approve this first.')).toBeVisible()
  await expect(juan).toHaveURL(/\/admin\/items$/)
  for (const page of [owner, juan]) await page.context().close()
})
