import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

test('failed emails are sent again, on a desktop and on a phone', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/mail?state=given-up', 'Mail')
  await expect(page.getByText('no.such.box@example.com')).toBeVisible()
  await expectGoodScreen(page)
  await page.setViewportSize(PHONE)
  await expectGoodScreen(page)
  const row = page.getByRole('listitem').filter({ hasText: 'full.box@example.org' })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expect(page.getByText('The email is only saved as a file')).toBeVisible()
  await expect(row).toBeHidden()
})

test('every email has a preview, and a test email reports the missing mail server', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/mail/templates?mail=receipt', 'Email templates')
  await expect(page.frameLocator('iframe').getByText('You bought:')).toBeVisible()
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByLabel('Send to').fill('me@example.com')
  await page.getByRole('button', { name: 'Send “Receipt”' }).click()
  await expect(page.getByText('This site has no mail server')).toBeVisible()
})

test('a mail server is entered by its provider’s name, and errors appear at their fields', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/mail', 'Mail')
  await page.getByLabel('Provider').selectOption('Zoho')
  await expect(page.getByRole('textbox', { name: 'Server' })).toHaveValue('smtp.zoho.com')
  await expect(page.getByLabel('Port')).toHaveValue('465')
  await page.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
  await page.getByLabel('Port').fill('1')
  await expect(page.getByLabel('Provider')).toHaveValue('')
  await page.getByLabel('Sender').fill('no-reply@example.ph')
  await expectGoodScreen(page)
  await page.getByRole('button', { name: /^Send a test to/ }).press('Enter')
  await expect(page.getByText('The server cannot be reached at this port.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Server' })).toBeFocused()
  await page.setViewportSize(DESKTOP)
  await expectGoodScreen(page)
})
