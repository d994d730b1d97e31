import { expect, test } from '@playwright/test'
import { openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

test('a guest goes from the wars to a league with its table and results, and to a club', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/wars')
  await expectGoodScreen(page)
  await page.getByRole('link', { name: 'The whole league' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Lantern League' })).toBeVisible()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(9)
  await expect(page.getByText('Left the covered court before the horn.')).toBeVisible()
  await expectGoodScreen(page)
  await page.getByRole('table').getByRole('link', { name: 'Hanging Amihan' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hanging Amihan' })).toBeVisible()
})

test('an operator plans a league, announces it, and gives a penalty in another', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/leagues', 'Leagues')
  await expectGoodScreen(page)
  await page.getByRole('link', { name: 'Plan a league' }).click()
  await page.getByLabel('Name').fill('New Year League')
  await page.getByRole('checkbox', { name: /Club war/ }).check()
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByRole('button', { name: 'Announce it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Announce it' }).click()
  await expect(page.getByText('No war has ended yet')).toBeVisible()
  await page.goto('/admin/leagues/2?tab=table')
  await page.getByRole('button', { name: 'Give a bonus or a penalty' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Points').fill('5')
  await dialog.getByLabel(/^Reason/).fill('Late again')
  await dialog.getByRole('button', { name: 'Give it' }).click()
  await expect(page.getByText('Late again')).toBeVisible()
  await expectGoodScreen(page)
})
