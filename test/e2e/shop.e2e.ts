import { expect, type Page, test } from '@playwright/test'
import { storeSession } from './log-in.ts'

const cards = (page: Page) => page.locator('ul[aria-label="Items"] > li')
const open = (page: Page, path: string) => page.goto(path, { waitUntil: 'networkidle' })
const rCoin = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('USER_DATA') ?? '{}').UserPoint as number)

test('the shop shows eight items a page in a grid 450 px high; category and page live in the address', async ({
  page,
}) => {
  await open(page, '/itemshop')
  await expect(cards(page)).toHaveCount(8)
  const grid = await page.locator('ul[aria-label="Items"]').boundingBox()
  expect(Math.round(grid?.height ?? 0)).toBe(450)
  await page
    .getByRole('navigation', { name: 'Pages of the item shop' })
    .getByRole('link', { name: '2', exact: true })
    .click()
  await expect(page).toHaveURL(/category=0&page=2/)
  await page.getByRole('link', { name: 'Rides' }).click()
  await expect(page).toHaveURL(/\/itemshop\?category=2$/)
  await page.goBack()
  await expect(page).toHaveURL(/page=2/)
  await page.reload({ waitUntil: 'networkidle' })
  await expect(page.locator('[aria-current=page]', { hasText: /^2$/ })).toHaveCount(1)
})

test('a card cuts long names at ten characters, and its tooltip opens on hover and on focus', async ({ page }) => {
  await open(page, '/itemshop')
  await expect(cards(page).first()).toContainText(/.{10}(…|\.\.\.)/)
  await cards(page).nth(1).hover()
  await expect(page.getByRole('tooltip')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toBeHidden()
})

test('guests who want to buy or to see carts and histories are sent to the login and back', async ({ page }) => {
  await open(page, '/itemshop?category=1')
  await page
    .getByRole('button', { name: /Add to cart/ })
    .first()
    .click()
  await page.waitForURL(/\/login\?next=%2Fitemshop/)
  for (const path of ['/shoppingcart', '/shoppurchases', '/topuphistory?page=2']) {
    await page.goto(path)
    await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === path)
  }
})

test('buying asks first, does nothing when declined, and a retry without an answer moves no money twice', async ({
  page,
}) => {
  await storeSession(page)
  await open(page, '/itemshop')
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/buyitem')) keys.push(request.headers()['idempotency-key'])
  })
  const buy = page.getByRole('button', { name: /Buy now/ }).first()
  const dialog = page.getByRole('dialog')
  await buy.click()
  await expect(dialog).toContainText('Are you sure you want to buy this item?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(keys).toEqual([])

  const before = await rCoin(page)
  await buy.click()
  await page.route('**/api/buyitem**', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/buyitem**')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Thank you! Your purchase is on its way to your item bank.')).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
  await expect.poll(() => rCoin(page)).toBe(before - 1200)
})

test('the cart counts at once, settles with the server and buys what is checked', async ({ page }) => {
  await storeSession(page)
  await open(page, '/itemshop?page=2')
  for (const index of [0, 1]) {
    await page
      .getByRole('button', { name: /Add to cart/ })
      .nth(index)
      .click()
    await expect(page.getByText('Added to cart.').first()).toBeVisible()
  }
  await open(page, '/shoppingcart')
  const rows = page.locator('ul[aria-label="Items in your cart"] > li')
  await expect(rows).toHaveCount(2)
  const count = rows.nth(1).locator('[aria-live]')
  await rows
    .nth(1)
    .getByRole('button', { name: /One more/ })
    .click()
  await expect(count).toHaveText('2')
  await page.route('**/api/updateQuantity', (route) => route.fulfill({ status: 500, json: {} }))
  await rows
    .nth(1)
    .getByRole('button', { name: /One more/ })
    .click()
  await expect(count).toHaveText('2')
  await page.unroute('**/api/updateQuantity')
  await rows.nth(0).locator('label').click()
  await expect(rows.nth(0).getByRole('checkbox')).not.toBeChecked()
  await page.getByRole('button', { name: 'Proceed to Buy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('Thank you!').first()).toBeVisible()
  await expect(rows).toHaveCount(1)
  await open(page, '/shoppurchases')
  await expect(page.getByText('On its way to your item bank').first()).toBeVisible()
})

test('short balances are told, histories without rows say so, and their failure has its text', async ({ page }) => {
  await storeSession(page, 'maria')
  await open(page, '/itemshop/2')
  await page.getByRole('main').getByRole('button', { name: 'Buy now', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toContainText('Missing')
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('Not enough R-Coin.')).toBeVisible()
  await open(page, '/shoppurchases')
  await expect(page.getByText('No Data')).toBeVisible()
  await page.route('**/api/topuphistory**', (route) => route.fulfill({ status: 500, json: {} }))
  await open(page, '/topuphistory')
  await expect(page.getByText('Failed to fetch purchase history').first()).toBeVisible()
})

test('a voucher is redeemed in capitals, once, and moves the balance', async ({ page }) => {
  await open(page, '/topup')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText('Please Login to Continue!')).toBeVisible()
  await expect(page.getByText('Voucher Code is required.')).toHaveCount(0)
  await storeSession(page, 'maria')
  await open(page, '/topup')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText('Voucher Code is required.')).toBeVisible()
  const code = page.getByLabel('Voucher Code')
  await code.pressSequentially('demo-1000-aaae')
  await expect(code).toHaveValue('DEMO-1000-AAAE')
  await page.getByLabel('Referral Code').pressSequentially('tambayan')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText('Your code has been redeemed.').first()).toBeVisible()
  await expect.poll(() => rCoin(page)).toBe(1000)
  await open(page, '/topuphistory')
  await expect(page.getByText('DEMO-1000-AAAE')).toBeVisible()
})
