import { expect, test } from '@playwright/test'
import { PHONE } from './desk.ts'
import { storeSession } from './log-in.ts'

test('a player buys a new name for a character, and is told that it waits', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await storeSession(page)
  await page.goto('/itemshop?q=registrar')
  await expect(page.getByRole('button', { name: /^Add to cart/ })).toHaveCount(0)
  await page.getByRole('link', { name: /New name at the registrar/ }).click()
  await page.waitForURL(/\/itemshop\/\d+$/)
  await expect(page.getByRole('button', { name: 'Send as a gift' })).toHaveCount(0)
  const buy = page.getByRole('main').getByRole('button', { name: 'Buy now', exact: true }).first()
  await buy.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /AlbularyoJuan/ }).check()
  await dialog.getByLabel('New name').fill('JuanTamad')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('This name is taken')).toBeVisible()
  await dialog.getByLabel('New name').fill('AlbularyoUno')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('Are you sure you want to buy this service?')).toBeVisible()
  await expect(dialog).toContainText('AlbularyoUno')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('We change your character while it is logged out of the game.').first()).toBeVisible()

  await buy.click()
  await expect(dialog.getByRole('radio', { name: /AlbularyoJuan/ })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/shoppurchases')
  await expect(page.getByRole('main')).toContainText('Log it out of the game')
  await expect(page.getByRole('main')).toContainText('AlbularyoUno')
})
