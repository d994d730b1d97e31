import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

test('characters are hidden and corrected with a reason, and seasons are planned', async ({ page }) => {
  await test.step('a character is hidden with a reason on a phone, and shown again', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/rankings', 'Rankings')
    await expectGoodScreen(page)
    const characters = page.getByRole('list', { name: 'Characters' })
    const name = (await characters.getByRole('listitem').first().innerText()).split('\n')[0] ?? ''
    await characters.getByRole('button', { name: `Hide ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: `Hide ${name}?` })
    await dialog.getByRole('button', { name: 'Hide it' }).click()
    await expect(dialog.getByText('Please give a reason.')).toBeVisible()
    await dialog.getByLabel('Reason').fill('The name of a real person')
    await dialog.getByRole('button', { name: 'Hide it' }).click()
    await expect(characters.getByText('The name of a real person')).toBeVisible()
    await characters.getByRole('button', { name: `Show again ${name}` }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('It was allowed')
    await page.getByRole('button', { name: 'Show it again' }).click()
    await expect(characters.getByRole('button', { name: `Hide ${name}` })).toBeVisible()
  })
  await test.step('a closed month is corrected and a character taken out, and the old values remain', async () => {
    await page.setViewportSize(DESKTOP)
    await openDesk(page, '/rankings/months', 'Rankings')
    await page
      .getByRole('table', { name: 'Months' })
      .getByRole('row')
      .filter({ has: page.getByRole('link'), hasText: 'Closed' })
      .first()
      .getByRole('link')
      .click()
    await page.getByRole('link', { name: 'Killer' }).click()
    // Until these rows have loaded, the list shows those of the previous board.
    await expect(page.getByRole('columnheader', { name: 'Kills' })).toBeVisible()
    await expect(page.locator('[data-old]')).toHaveCount(0)
    await expectGoodScreen(page)
    await page.getByRole('table').getByRole('link').nth(2).click()
    await page.getByLabel('Kills').fill('1')
    await page.getByLabel('Reason').fill('Kills were traded')
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Save the correction' }).click()
    const history = page.getByRole('list', { name: 'Corrections' })
    await expect(history.getByText('Kills were traded')).toBeVisible()
    await page.getByRole('button', { name: 'Take it out' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Used a bot')
    await dialog.getByRole('button', { name: 'Take it out' }).click()
    await expect(page.getByText('Taken out', { exact: true })).toBeVisible()
    await page.goto('/admin/rankings/corrections')
    await expect(page.getByText('Used a bot')).toBeVisible()
    await expectGoodScreen(page)
    await page.goto('/admin/rankings/2026-13')
    await expect(page.getByText('There is no screen at this address')).toBeVisible()
  })

  await test.step('a season is planned, changed and deleted, and the running season can be ended', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/rankings/seasons', 'Rankings')
    await expectGoodScreen(page)
    await page.getByRole('link', { name: 'New season' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Season of Kites')
    const months = page.getByLabel('First month').locator('option')
    const [firstMonth, lastMonth] = [
      await months.nth(8).getAttribute('value'),
      await months.nth(10).getAttribute('value'),
    ]
    await page.getByLabel('First month').selectOption(firstMonth)
    await page.getByLabel('Last month').selectOption(lastMonth)
    await page.getByLabel(/^Divisions/).fill('Gold 10\nSilver 50')
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Plan it' }).click()
    await expect(
      page.getByText('Give the last division 100, so every ranked character is in a division.'),
    ).toBeVisible()
    await page.getByLabel(/^Divisions/).fill('Gold 10\nSilver 100')
    await page.getByRole('button', { name: 'Plan it' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Season of Kites')
    await page.getByLabel('Name', { exact: true }).fill('Season of Long Kites')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Season of Long Kites')
    await page.getByRole('button', { name: 'Delete it…' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Planned by mistake')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click()
    await expect(page.getByRole('main').getByText('Season of Long Kites')).toHaveCount(0)
    await page.setViewportSize(DESKTOP)
    await page
      .getByRole('row', { name: /Running/ })
      .getByRole('link')
      .click()
    await expect(page.getByRole('button', { name: 'End it now…' })).toBeVisible()
    await expectGoodScreen(page)
  })
})
