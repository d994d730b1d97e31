import { expect, test } from '@playwright/test'
import { openDesk, PHONE } from './desk.ts'
import { expectGoodPage } from './good-screen.ts'

test('the page Game reports a missing bridge, and pairs one with a code that is shown once', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/game', 'Game')
  await expect(page.getByText('Purchases wait here until a bridge is paired.')).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Pair a bridge' }).click()
  const choice = page.getByRole('dialog', { name: 'Pair a bridge?' })
  await expect(choice.getByRole('radio', { name: /first 19 characters/ })).toBeChecked()
  await choice.getByText('As typed').click()
  await expect(choice.getByRole('radio', { name: /As typed/ })).toBeChecked()
  await expectGoodPage(page)
  await choice.getByRole('button', { name: 'Create a code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pair a bridge', exact: true })
  await expect(dialog.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
  await expectGoodPage(page)
  const copy = dialog.getByRole('button', { name: 'Copy the command' })
  const message = page.locator('[aria-live]')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copy.press('Enter')
  await expect(message.getByText('Copied.')).toBeVisible()
  const command = await dialog.getByText(/^node bridge\.mjs pair /).innerText()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command)
  // Without https, an address has no clipboard.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await copy.press('Enter')
  await expect(message.getByText('Please select the text yourself.', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
})
