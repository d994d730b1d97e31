import { expect, test } from '@playwright/test'
import { openDesk, PHONE } from './desk.ts'
import { expectGoodPage } from './good-screen.ts'

test('the Game page reports a missing bridge, and pairs one with a code that is shown once', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/game', 'Game')
  await expect(page.getByText('Purchases wait here until a bridge is paired.')).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Pair a bridge' }).click()
  const optionsDialog = page.getByRole('dialog', { name: 'Pair a bridge?' })
  await expect(optionsDialog.getByRole('radio', { name: /first 19 characters/ })).toBeChecked()
  await optionsDialog.getByText('As typed').click()
  await expect(optionsDialog.getByRole('radio', { name: /As typed/ })).toBeChecked()
  await expectGoodPage(page)
  await optionsDialog.getByRole('button', { name: 'Create a code' }).click()
  const codeDialog = page.getByRole('dialog', { name: 'Pair a bridge', exact: true })
  await expect(codeDialog.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
  await expectGoodPage(page)
  const copyButton = codeDialog.getByRole('button', { name: 'Copy the command' })
  const message = page.locator('[aria-live]')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copyButton.press('Enter')
  await expect(message.getByText('Copied.')).toBeVisible()
  const command = await codeDialog.getByText(/^node bridge\.mjs pair /).innerText()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command)
  // A page without https has no clipboard API.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await copyButton.press('Enter')
  await expect(message.getByText('Please select the text yourself.', { exact: false })).toBeVisible()
  await codeDialog.getByRole('button', { name: 'Done' }).click()
  await expect(codeDialog).toBeHidden()
})
