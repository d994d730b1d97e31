import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodPage, expectGoodScreen } from './good-screen.ts'

test('figures are compared, listed and exported, and an opened page of an item is counted', async ({ page }) => {
  await test.step('a range of days is compared with the previous one, and each chart links a list with CSV', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/figures', 'Figures')
    await expect(page.getByRole('figure', { name: 'Returning' })).toContainText('before: ')
    await expectAccessible(page)
    await expectGoodPage(page)
    await page.getByRole('link', { name: '7 days' }).click()
    await expect(page).toHaveURL(/from=.*until=/)
    const { search } = new URL(page.url())
    await page.getByRole('figure', { name: 'Logins by hour' }).getByRole('link').click()
    await expect(page).toHaveURL(`/admin/figures/hours${search}`)
    await expect(page.getByRole('table', { name: 'Logins by hour' }).getByRole('row')).toHaveCount(25)

    const figureParts = page.getByRole('navigation', { name: 'Parts of Figures' })
    await figureParts.getByRole('link', { name: 'Hours' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/admin/figures/categories${search}`)
    let sendAnswer = () => {}
    const answerDelay = new Promise<void>((resolve) => {
      sendAnswer = resolve
    })
    await page.route('**/api/admin/figures/campaigns?*', async (route) => {
      await answerDelay
      await route.continue()
    })
    await figureParts.getByRole('link', { name: 'Campaigns' }).click()
    await expect(page).toHaveURL(`/admin/figures/campaigns${search}`)
    await expect(page.locator('a[href*="undefined"]')).toHaveCount(0)
    sendAnswer()
    await expect(page.getByRole('table', { name: 'Campaigns redeemed' })).toBeVisible()
    await expectGoodScreen(page)
    await figureParts.getByRole('link', { name: 'Days' }).click()
    await expect(page.getByRole('table', { name: 'Days' }).getByRole('row')).toHaveCount(8)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(8)
    expect(lines[0]).toContain('returning_players')
  })
  await test.step('an opened page of an item is counted', async () => {
    await page.setViewportSize(DESKTOP)
    await Promise.all([page.waitForResponse(/\/api\/shopitem\/\d+\/opened/), page.goto('/itemshop/1')])
    await openDesk(page, '/figures/items', 'Figures')
    // The day in Manila, 8 hours ahead of UTC.
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    await page.goto(`/admin/figures/items?from=${today}&until=${today}`)
    await expect(page.getByRole('table', { name: 'Items opened and bought' })).toContainText('Page opened')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
  })
})
