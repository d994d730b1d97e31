import { expect, test } from '@playwright/test'
import { openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodPage } from './good-screen.ts'

test('Today and Health show the waiting work and the state of the site', async ({ page }) => {
  await test.step('Today lists waiting work, and its charts link the figures', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '', 'Today')
    await expect(page.getByRole('heading', { name: 'Needs you now' })).toBeVisible()
    await expect(page.getByRole('figure', { name: 'New players' })).toBeVisible()
    await expectAccessible(page)
    await expectGoodPage(page)
    await page.getByRole('link', { name: /could not be delivered/ }).click()
    await expect(page).toHaveURL('/admin/orders?stage=failed')
    await page.goBack()
    await page.getByRole('figure', { name: 'R-Coin spent' }).getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Figures' })).toBeVisible()
  })
  await test.step('Health shows the state of jobs, backups and emails', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/health', 'Health')
    await expect(page.getByText('Clean up mail files')).toBeVisible()
    await expect(page.getByText('No alert is sent when something goes wrong')).toBeVisible()
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Send a test alert' }).click()
    await expect(page.getByText('Alerts have no recipient yet.')).toBeVisible()
  })
})
