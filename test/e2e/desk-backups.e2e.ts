import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

test('a backup is made and downloaded, and the form for its targets shows errors at their fields', async ({ page }) => {
  await test.step('the form for backup targets requires each kind’s fields, and shows errors at them', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/backups', 'Backups')
    await page.getByRole('button', { name: 'Choose…' }).click()
    await page.getByLabel('Folder, or address of the store').fill('backups')
    await page.getByRole('button', { name: 'Try it' }).press('Enter')
    await expect(page.getByText('Enter the whole path of a folder')).toBeVisible()
    await page.getByLabel('Copies go to').selectOption('s3')
    await page.getByLabel('Folder, or address of the store').fill('http://127.0.0.1:1')
    await page.getByLabel('Bucket').fill('tambayan')
    await page.getByLabel('Access key').fill('key')
    await page.getByLabel('Secret key').fill('secret')
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Try it' }).press('Enter')
    await expect(page.getByText('The store cannot be reached at this address.')).toBeVisible()
  })
  await test.step('a backup is made and downloaded, and the commands that restore it are ready to be pasted', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/backups', 'Backups')
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Make a backup now' }).press('Enter')
    const row = page.getByRole('listitem').filter({ hasText: /tambayan-.*\.backup\.gz/ })
    await expect(row.first()).toContainText('gm', { timeout: 120_000 })
    const name = (await row.first().locator('p').first().textContent()) ?? ''
    await expect(page.getByText(`npm run restore -- `)).toContainText(name)
    await row.first().getByRole('button', { name: 'Download…' }).click()
    const downloadEvent = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
    expect((await downloadEvent).suggestedFilename()).toBe(name)
    await page.setViewportSize(DESKTOP)
    await expectGoodScreen(page)
  })
})
