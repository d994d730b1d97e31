import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

test('on a phone a player is found by a character, blocked with a reason and let in again', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/players', 'Players')
  await expectGoodScreen(page)
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.getByRole('searchbox').or(page.getByLabel('Who are you looking for?')).first().fill('maria')
  await expect(page).toHaveURL('/admin/players#q=maria')
  await page.getByRole('link', { name: 'maria', exact: true }).click()
  expect(addresses.filter((address) => address.endsWith('/api/admin/players')).length).toBeGreaterThan(0)
  expect(addresses.filter((address) => address.includes('maria'))).toEqual([])
  await expect(page.getByRole('heading', { level: 1, name: 'maria' })).toBeVisible()
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('button', { name: 'Block maria' }).click()
  await expect(page.getByText('Please give a reason.')).toBeVisible()
  await page.getByLabel('Reason').fill('You sold R-Coin in the plaza.')
  await page.getByLabel('Note (staff only)').fill('Second time.')
  await page.getByRole('button', { name: 'Block maria' }).click()
  await expect(page.getByText('“You sold R-Coin in the plaza.”').first()).toBeVisible()
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Lift the block' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('A mistake.')
  await dialog.getByRole('button', { name: 'Lift the block' }).click()
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible()
})

test('at a desk a player’s whole page is read, and a note is written', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/players?q=juan&sort=user_num', 'Players')
  await expect(page).toHaveURL('/admin/players?sort=user_num#q=juan')
  await page.getByRole('link', { name: 'juan', exact: true }).click()
  await expect(page.getByRole('list', { name: 'What happened' })).toBeVisible()
  await expectGoodScreen(page)
  for (const tab of [/^Account/, /^Bought/, /^Tickets/, /^Blocks/, /^Shared/, /^Personal/]) {
    await page.getByRole('link', { name: tab }).last().click()
    await expectGoodScreen(page)
  }
  await page.getByRole('link', { name: /^Notes \(/ }).click()
  await page.getByLabel('New note').fill('Knows the way to the jeepney.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Knows the way to the jeepney.' })).toBeVisible()
})
