import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

test('given-up mails are sent again, at a desk and on a phone', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/mails?state=given-up', 'Mail')
  await expect(page.getByText('no.such.box@example.com')).toBeVisible()
  await expectGoodScreen(page)
  await page.setViewportSize(PHONE)
  await expectGoodScreen(page)
  const row = page.getByRole('listitem').filter({ hasText: 'full.box@example.org' })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expect(page.getByText('The email is only kept as a file')).toBeVisible()
  await expect(row).toBeHidden()
})

test('every mail is looked at as it arrives, and a test says that there is no mail server', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/mails/templates?mail=receipt', 'Email templates')
  await expect(page.frameLocator('iframe').getByText('You bought:')).toBeVisible()
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByLabel('Send to').fill('me@example.com')
  await page.getByRole('button', { name: 'Send “Receipt”' }).click()
  await expect(page.getByText('This site has no mail server')).toBeVisible()
})
