import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'

/** Longer than the interval at which the page of an open order reloads. */
const REFRESH_MS = 10_000

test('orders are found, refunded and delivered again, on a phone and on a desktop', async ({ page }) => {
  await test.step('an order is found on a phone, refunded, and counts as refunded at once', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/orders?stage=waiting', 'Orders')
    const orders = page.getByRole('list', { name: 'Orders' })
    await expect(orders.getByText('Waiting').first()).toBeVisible()
    await expectGoodScreen(page)
    await orders.locator('a[data-row][href^="/admin/orders/"]').first().click()
    await page
      .getByRole('button', { name: /^Refund/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: /^Refund \d+ units?\?$/ })
    await expect(dialog.getByText('cannot be in the game')).toBeVisible()
    await dialog.getByRole('button', { name: /^Refund/ }).click()
    await expect(dialog.getByText('Please give a reason.')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('Reason').fill('Bought twice by mistake')
    await dialog.getByRole('button', { name: /^Refund/ }).click()
    await expect(page.getByText(/^Paid back /)).toBeVisible()
    await expect(page.getByText('Refund by gm')).toBeVisible()
    await expect(page.getByRole('main').getByText('Refunded').first()).toBeVisible()
    await expectGoodScreen(page)
  })
  await test.step('failed deliveries are tried again, and several orders are refunded together', async () => {
    await page.setViewportSize(DESKTOP)
    await openDesk(page, '/orders', 'Orders')
    await page.getByLabel('State').selectOption('Failed')
    await expect(page).toHaveURL(/stage=failed/)
    const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row')
    await expect(rows.nth(1).getByText('Failed')).toBeVisible()
    await page.getByLabel('Tick this row').nth(0).check()
    await page.getByLabel('Tick this row').nth(1).check()
    await expect(page.getByRole('button', { name: /^Deliver \d+ again$/ })).toBeVisible()
    await page.getByRole('button', { name: 'Refund…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Refund \d+ units\?$/ })
    await expect(dialog).toBeVisible()
    await expectGoodScreen(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await rows.nth(1).getByRole('link').first().click()
    await expectGoodScreen(page)
    await page.getByRole('button', { name: /^Deliver .*again$/ }).click()
    await expect(page.getByText(/will be delivered again\.$/)).toBeVisible()
  })
  await test.step('a unit that its player picked up is refunded with a reason, and stays claimed', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/orders?stage=claimed', 'Orders')
    const orders = page.getByRole('list', { name: 'Orders' })
    const refund = page.getByRole('button', { name: 'Refund a picked-up unit…' }).first()
    // Orders of completed services and of draws have no button for such a refund.
    for (let nth = 0; nth < 10; nth++) {
      await orders.locator('a[data-row][href^="/admin/orders/"]').nth(nth).click()
      await expect(page.getByRole('heading', { name: 'In the ledger' })).toBeVisible()
      if (await refund.isVisible()) break
      await page.goBack()
    }
    await refund.click()
    const dialog = page.getByRole('dialog', { name: /which was picked up\?$/ })
    await expect(dialog.getByText('goes back to the player who paid')).toBeVisible()
    await dialog.getByLabel('Reason').fill('It does not do what its description says')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Refund it' }).click()
    await expect(page.getByText(/The player keeps the item\.$/)).toBeVisible()
    const unit = page.getByRole('listitem').filter({ hasText: 'Unit 1' }).first()
    await expect(unit.getByText('Claimed', { exact: true })).toBeVisible()
    await expect(unit.getByText('Refunded', { exact: true })).toBeVisible()
    await expectGoodScreen(page)
  })
})

test('the page of an open order updates automatically', async ({ page }) => {
  await page.clock.install()
  await openDesk(page, '/orders?stage=waiting', 'Orders')
  await page.locator('a[data-row][href^="/admin/orders/"]').first().click()
  const unit = page.getByRole('listitem').filter({ hasText: 'Unit 1' }).first()
  await expect(unit.getByText('Waiting')).toBeVisible()
  await page.route('**/api/admin/orders/*-*', async (route) => {
    const answer = await route.fetch()
    const order = await answer.json()
    await route.fulfill({
      response: answer,
      json: { ...order, units: order.units.map((orderUnit: object) => ({ ...orderUnit, stage: 'delivered' })) },
    })
  })
  await page.clock.fastForward(REFRESH_MS)
  await expect(unit.getByText('In the item bank')).toBeVisible()
})
