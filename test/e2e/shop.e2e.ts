import { expect, type Locator, type Page, test } from '@playwright/test'
import { emptyCart } from './empty-cart.ts'
import { openHydrated, waitForHydration } from './hydrated.ts'
import { storeSession } from './log-in.ts'

const PHONE_OPTIONS = { viewport: { width: 360, height: 700 }, hasTouch: true }

const findCards = (page: Page) => page.locator('ul[aria-label="Items"] > li')
const findCartLines = (page: Page) => page.locator('ul[aria-label="Items in your cart"] > li')
const findTooltip = (page: Page) => page.getByRole('tooltip')
const measureBox = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
const readRCoin = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('USER_DATA') ?? '{}').UserPoint as number)
const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('ACCESS_TOKEN') ?? '')

/** Adds an item of the open shop to the cart. */
const addToCart = (page: Page, index = 0) =>
  page
    .getByRole('button', { name: /Add to cart/ })
    .nth(index)
    .click()

/** Submits the form of the login page. */
async function submitLogin(page: Page, userId: string, password: string): Promise<void> {
  const card = page.getByRole('main').locator('form')
  await card.getByLabel('User ID').fill(userId)
  await card.getByLabel('Password', { exact: true }).fill(password)
  await card.getByRole('button', { name: 'Login' }).click()
}

/** Moves the pointer to a position and returns the box of the tooltip there. */
async function showTooltipAt(page: Page, x: number, y: number) {
  await page.mouse.move(x - 4, y - 4)
  await expect(findTooltip(page)).toBeVisible()
  await page.mouse.move(x, y)
  await expect.poll(async () => (await measureBox(findTooltip(page))).width).toBeGreaterThan(0)
  await page.waitForTimeout(200)
  return measureBox(findTooltip(page))
}

test('the shop shows eight items a page, links its pages and categories, and places its tooltips', async ({ page }) => {
  await openHydrated(page, '/itemshop')
  await test.step('eight items are in a grid 450 px high', async () => {
    await expect(findCards(page)).toHaveCount(8)
    // A card cuts a long name after ten characters. The link's accessible name contains all visible text.
    const link = page.getByRole('link', { name: /Batch 26 hoodie.*Batch 26 h….*1,200\.00/ })
    await expect(link).toHaveCount(1)
    await expect(link).not.toHaveAttribute('aria-label')
    const grid = await page.locator('ul[aria-label="Items"]').boundingBox()
    expect(Math.round(grid?.height ?? 0)).toBe(450)
  })
  await test.step('Escape closes the tooltip', async () => {
    await findCards(page).nth(1).hover()
    await expect(findTooltip(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(findTooltip(page)).toBeHidden()
    await page.mouse.move(0, 0)
  })
  await test.step('the tooltip of a focused card is right of it, or left where there is no room', async () => {
    for (const [index, side] of [
      [0, 'right'],
      [3, 'left'],
    ] as const) {
      const card = findCards(page).nth(index)
      await page.keyboard.press('Tab')
      await card.getByRole('link').focus()
      await expect(findTooltip(page)).toBeVisible()
      await page.waitForTimeout(200)
      const [box, tooltipBox] = [await measureBox(card), await measureBox(findTooltip(page))]
      const gap = side === 'right' ? tooltipBox.x - box.x - box.width : box.x - tooltipBox.x - tooltipBox.width
      expect(Math.round(gap)).toBe(10)
    }
  })
  await test.step('the address has category and page', async () => {
    const pages = page.getByRole('navigation', { name: 'Pages of the item shop' })
    await pages.getByRole('link', { name: '2', exact: true }).click()
    await expect(page).toHaveURL(/category=0&page=2/)
    await page.getByRole('link', { name: 'Rides' }).click()
    await expect(page).toHaveURL(/\/itemshop\?category=2$/)
    await page.goBack()
    await expect(page).toHaveURL(/page=2/)
    await page.reload()
    await waitForHydration(page)
    await expect(page.locator('[aria-current=page]', { hasText: /^2$/ })).toHaveCount(1)
  })
  await test.step('a tooltip is below and right of the pointer', async () => {
    await page.setViewportSize({ width: 1440, height: 1400 })
    const card = await measureBox(findCards(page).first())
    const [x, y] = [card.x + 40, card.y + 40]
    const tooltipBox = await showTooltipAt(page, x, y)
    expect([Math.round(tooltipBox.x - x), Math.round(tooltipBox.y - y)]).toEqual([18, 18])
    const movedTooltip = await showTooltipAt(page, x + 30, y + 20)
    expect([Math.round(movedTooltip.x - tooltipBox.x), Math.round(movedTooltip.y - tooltipBox.y)]).toEqual([30, 20])
  })
  await test.step('the tooltip changes sides before it would leave the screen', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const card = findCards(page).nth(7)
    await card.evaluate((element) => element.scrollIntoView({ block: 'end', behavior: 'instant' }))
    const box = await measureBox(card)
    const [x, y] = [box.x + box.width - 20, box.y + box.height - 30]
    const tooltipBox = await showTooltipAt(page, x, y)
    expect([Math.round(x - tooltipBox.x - tooltipBox.width), Math.round(y - tooltipBox.y - tooltipBox.height)]).toEqual(
      [18, 18],
    )
  })
  await test.step('the tooltip stays on a phone’s screen, where neither side has room', async () => {
    await page.setViewportSize({ width: 360, height: 400 })
    await findCards(page)
      .nth(1)
      .evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
    const box = await measureBox(findCards(page).nth(1))
    const tooltipBox = await showTooltipAt(page, box.x + 20, box.y + 30)
    expect(tooltipBox.x).toBeGreaterThanOrEqual(7.5)
    expect(tooltipBox.x + tooltipBox.width).toBeLessThanOrEqual(352.5)
    expect(tooltipBox.y).toBeGreaterThanOrEqual(7.5)
  })
})

test('on a phone the first tap on a card opens its tooltip, and the second tap follows the link', async ({
  browser,
}) => {
  const page = await browser.newPage(PHONE_OPTIONS)
  await openHydrated(page, '/itemshop')
  for (const [scrollBlock, side] of [
    ['start', 'below'],
    ['end', 'above'],
  ] as const)
    await test.step(`the tooltip is ${side} the card`, async () => {
      const card = findCards(page).nth(2)
      await card.evaluate((element, block) => {
        element.style.scrollMargin = '80px'
        element.scrollIntoView({ block, behavior: 'instant' })
      }, scrollBlock)
      await card.getByRole('link').tap()
      await expect(findTooltip(page)).toBeVisible()
      await page.waitForTimeout(200)
      const tooltipBox = await measureBox(findTooltip(page))
      const buttons = [
        await measureBox(card.getByRole('button').first()),
        await measureBox(card.getByRole('button').last()),
      ]
      if (side === 'below') expect(tooltipBox.y).toBeGreaterThan((buttons[1]?.y ?? 0) + (buttons[1]?.height ?? 0))
      else expect(tooltipBox.y + tooltipBox.height).toBeLessThan(buttons[0]?.y ?? 0)
      // The tooltip leaves the item's buttons free, and a press elsewhere closes it.
      await page.getByRole('heading', { level: 1 }).dispatchEvent('pointerdown', { pointerType: 'mouse', button: 0 })
      await expect(findTooltip(page)).toBeHidden()
    })
  await test.step('the second tap follows the link', async () => {
    const link = findCards(page).first().getByRole('link')
    await link.tap()
    await expect(findTooltip(page)).toBeVisible()
    await expect(page).toHaveURL(/\/itemshop$/)
    await link.tap()
    await expect(page).toHaveURL(/\/itemshop\/\d+$/)
  })
  await page.close()
})

test('a guest’s item is in the cart after the login, and removed lines can be restored', async ({ page }) => {
  const lines = findCartLines(page)
  await test.step('the login adds the item, and the next page confirms it', async () => {
    await openHydrated(page, '/itemshop?category=1')
    const addButton = page.getByRole('button', { name: /Add to cart/ }).first()
    const item = (await addButton.getAttribute('aria-label'))?.replace('Add to cart: ', '') ?? ''
    await addButton.click()
    await page.waitForURL(/\/login\?next=%2Fitemshop/)
    await expect(page.getByText(`After you log in, ${item} is added to your cart.`)).toBeVisible()
    // The next step is in the address, so a reload preserves it.
    await page.reload()
    await waitForHydration(page)
    await submitLogin(page, 'maria', 'maria-demo-1')
    await page.waitForURL(/\/itemshop\?category=1$/)
    await expect(page.getByText('Added to cart.').first()).toBeVisible()
    await page.getByRole('link', { name: 'View cart' }).first().click()
    await expect(page.getByRole('main')).toContainText(item)
  })
  await emptyCart(page.request, await readToken(page))
  await test.step('a removed line stays in its position, and undo restores it unchecked', async () => {
    await openHydrated(page, '/itemshop?page=2')
    for (const index of [0, 1]) {
      await addToCart(page, index)
      await expect(page.getByText('Added to cart.').nth(index)).toBeVisible()
    }
    await page.getByRole('link', { name: 'View cart' }).first().click()
    await expect(page).toHaveURL(/\/shoppingcart$/)
    await expect(lines).toHaveCount(2)
    const name = (await lines.first().getByRole('link').textContent())?.slice(0, 8) ?? ''
    await lines.first().locator('label').click()
    const secondBox = await measureBox(lines.nth(1))
    await lines
      .first()
      .getByRole('button', { name: /Remove/ })
      .click()
    await expect(lines.first()).toContainText('Removed:')
    expect((await measureBox(lines.nth(1))).y).toBe(secondBox.y)
    await page.mouse.move(4, 4)
    await expect(lines).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(lines).toHaveCount(2)
    const restoredLine = lines.filter({ hasText: name })
    await expect(restoredLine.getByRole('checkbox')).not.toBeChecked()
    const removeButtons = page.getByRole('button', { name: /^Remove/ })
    const lineBox = await measureBox(lines.nth(1))
    await removeButtons.first().click()
    await expect(removeButtons).toHaveCount(1)
    await removeButtons.hover()
    expect((await measureBox(lines.nth(1))).y).toBe(lineBox.y)
    await removeButtons.click()
    await expect(removeButtons).toHaveCount(0)
    await expect(page.getByText('Your cart is empty', { exact: true })).toBeVisible()
  })
  await test.step('on a phone the bottom bar counts the lines', async () => {
    await page.setViewportSize(PHONE_OPTIONS.viewport)
    await openHydrated(page, '/itemshop')
    const shopLink = page.getByRole('navigation', { name: 'Quick links' }).getByRole('link', { name: /Shop/ })
    await addToCart(page)
    await expect(shopLink).toContainText('1 in your cart')
    await openHydrated(page, '/shoppingcart')
    await page.getByRole('button', { name: /^Remove/ }).click()
    await expect(shopLink).not.toContainText('in your cart')
  })
  await test.step('the bottom bar requests no cart for a guest', async () => {
    await page.evaluate(() => localStorage.clear())
    const requests: string[] = []
    page.on('request', (request) => request.url().includes('/api/shopcart') && requests.push(request.url()))
    await openHydrated(page, '/')
    expect(requests).toEqual([])
  })
})

test('a purchase needs a login and a confirmation, and a retry after a lost response pays once', async ({ page }) => {
  const dialog = page.getByRole('dialog')
  const buyButton = page.getByRole('button', { name: /Buy now/ }).first()
  await test.step('a guest who presses Buy now reads the next step, and confirms it after the login', async () => {
    await openHydrated(page, '/itemshop?category=1')
    const item = (await buyButton.getAttribute('aria-label'))?.replace('Buy now: ', '') ?? ''
    await buyButton.click()
    await expect(page.getByText(`After you log in, you can buy ${item}.`)).toBeVisible()
    await submitLogin(page, 'juan', 'wrong-one')
    const card = page.getByRole('main').locator('form')
    const refusal = card.locator('p', { hasText: /wrong|incorrect|not match/i })
    await expect(refusal).toBeVisible()
    await expect(page.locator('[data-toasts]').getByText(await refusal.innerText())).toBeVisible()
    await card.getByLabel('Password', { exact: true }).fill('juan-demo-1')
    await expect(refusal).toHaveCount(0)
    await card.getByRole('button', { name: 'Login' }).click()
    await expect(dialog).toContainText('Are you sure you want to buy this item?')
    await expect(dialog).toContainText(item)
    await expect(page).toHaveURL(/\/itemshop\/\d+$/)
  })
  const idempotencyKeys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/buyitem')) idempotencyKeys.push(request.headers()['idempotency-key'])
  })
  await test.step('Cancel buys nothing', async () => {
    await openHydrated(page, '/itemshop')
    await buyButton.click()
    await expect(dialog).toContainText('Are you sure you want to buy this item?')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    expect(idempotencyKeys).toEqual([])
  })
  await test.step('a retry after a lost response pays once', async () => {
    const balanceBefore = await readRCoin(page)
    await buyButton.click()
    await page.route('**/api/buyitem**', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'OK' }).click()
    await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
    await page.unroute('**/api/buyitem**')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Thank you! Your purchase is on its way to your item bank.')).toBeVisible()
    expect(idempotencyKeys).toHaveLength(2)
    expect(idempotencyKeys[0]).toBe(idempotencyKeys[1])
    await expect.poll(() => readRCoin(page)).toBe(balanceBefore - 1200)
  })
  await test.step('several units are bought together', async () => {
    await expect(dialog).toBeHidden()
    const balanceBefore = await readRCoin(page)
    await buyButton.click()
    const field = dialog.getByRole('spinbutton', { name: 'Quantity' })
    await field.fill('500')
    await field.blur()
    await expect(field).toHaveValue('99')
    await expect(dialog.getByText('Missing')).toBeVisible()
    await field.fill('2')
    await dialog.getByRole('button', { name: /One more/ }).click()
    await expect(field).toHaveValue('3')
    await expect(dialog).toContainText('3,600.00')
    await dialog.getByRole('button', { name: 'OK' }).click()
    await expect.poll(() => readRCoin(page)).toBe(balanceBefore - 3600)
  })
})

test('the cart syncs quantities with the server and other tabs, and buys the checked lines', async ({ page }) => {
  await emptyCart(page.request, await storeSession(page))
  const rows = findCartLines(page)
  await test.step('a refused addition shows the server’s message', async () => {
    const refusal = { status: 422, json: { error: 'The error.', message: 'The message.' } }
    await page.route('**/api/addtocart**', (route) => route.fulfill(refusal))
    await openHydrated(page, '/itemshop')
    await addToCart(page)
    await expect(page.getByText('The message.')).toBeVisible()
    await expect(page.getByText('The error.')).toHaveCount(0)
    await page.unroute('**/api/addtocart**')
  })
  await test.step('the cart of another tab shows an added item', async () => {
    const cartPage = await page.context().newPage()
    await openHydrated(cartPage, '/shoppingcart')
    await addToCart(page, 5)
    const cartLines = findCartLines(cartPage)
    await expect(cartLines).toHaveCount(1)
    await cartLines
      .last()
      .getByRole('button', { name: /^Remove/ })
      .click()
    await cartPage.close()
  })
  await openHydrated(page, '/itemshop?page=2')
  for (const index of [0, 1]) {
    await addToCart(page, index)
    await expect(page.getByText('Added to cart.').first()).toBeVisible()
  }
  await openHydrated(page, '/shoppingcart')
  await expect(rows).toHaveCount(2)
  await test.step('a refused change of a quantity is undone', async () => {
    const count = rows.nth(1).locator('[aria-live]')
    const moreButton = rows.nth(1).getByRole('button', { name: /One more/ })
    await moreButton.click()
    await expect(count).toHaveText('2')
    await page.route('**/api/updateQuantity', (route) => route.fulfill({ status: 500, json: {} }))
    await moreButton.click()
    await expect(count).toHaveText('2')
    await page.unroute('**/api/updateQuantity')
  })
  await test.step('the checked lines are bought', async () => {
    await rows.nth(0).locator('label').click()
    await expect(rows.nth(0).getByRole('checkbox')).not.toBeChecked()
    await page.getByRole('button', { name: 'Proceed to Buy' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
    await expect(page.getByText('Thank you!').first()).toBeVisible()
    await expect(rows).toHaveCount(1)
    await openHydrated(page, '/shoppurchases')
    await expect(page.getByText('On its way to your item bank').first()).toBeVisible()
  })
})

/** Records every balance that a dialog shows after 'You have', until the page closes. */
const recordBalances = (page: Page) =>
  page.evaluate(() => {
    const shownBalances = new Set<string>()
    Object.assign(window, { shown: shownBalances })
    const readBalances = () => {
      for (const term of document.querySelectorAll('[role=dialog] dt'))
        if (term.textContent === 'You have') shownBalances.add(term.nextElementSibling?.textContent ?? '')
    }
    readBalances()
    new MutationObserver(readBalances).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
const readRecordedBalances = (page: Page) =>
  page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown])

/** Changes the balance while a call runs, as another tab would, then lets the call continue. */
const spendElsewhere = (page: Page, path: string) =>
  page.route(path, async (route) => {
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem('USER_DATA') ?? '{}')
      localStorage.setItem('USER_DATA', JSON.stringify({ ...user, UserPoint: user.UserPoint - 1, UserPoint2: 7 }))
      dispatchEvent(new StorageEvent('storage', { key: 'USER_DATA' }))
    })
    await page.waitForTimeout(200)
    await route.continue()
  })

test('dialogs of a purchase, gift and draw show the confirmed balance until they close', async ({ page }) => {
  await storeSession(page)
  const dialog = page.getByRole('dialog')
  const confirmPurchase = async (path: string, buttonName: string, expectedText: string) => {
    await recordBalances(page)
    await spendElsewhere(page, path)
    await dialog.getByRole('button', { name: buttonName }).click()
    await expect(page.getByText(expectedText).first()).toBeVisible()
    await expect(dialog.getByText('You have', { exact: true })).toBeHidden()
    expect(await readRecordedBalances(page)).toHaveLength(1)
  }
  await openHydrated(page, '/itemshop/3')
  await page.getByRole('main').getByRole('button', { name: 'Buy now', exact: true }).first().click()
  await expect(dialog.getByText('You have', { exact: true })).toBeVisible()
  await confirmPurchase('**/api/buyitem**', 'OK', 'Thank you!')
  await page.reload()
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Send as a gift' }).click()
  await dialog.getByLabel('User ID', { exact: true }).check()
  await dialog.getByLabel('User ID of the player').fill('maria')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('the player with the user ID maria')).toBeVisible()
  await confirmPurchase('**/api/buygift**', 'Buy and send', 'Sent!')
  await openHydrated(page, '/capsuleshop')
  await page.getByRole('link', { name: 'See every chance' }).first().click()
  await page.getByRole('button', { name: 'Draw one' }).click()
  await expect(dialog.getByText('You have', { exact: true })).toBeVisible()
  await confirmPurchase('**/api/drawcapsule**', 'Pay and draw', 'You drew')
})

test('a player reads what is missing, and a voucher code is redeemed once despite a lost response', async ({
  page,
}) => {
  const dialog = page.getByRole('dialog')
  await test.step('a guest has to log in to redeem', async () => {
    await openHydrated(page, '/topup')
    await page.getByRole('button', { name: 'Redeem' }).click()
    await expect(page.getByText('Please Login to Continue!')).toBeVisible()
    await expect(page.getByText('Voucher Code is required.')).toHaveCount(0)
  })
  await storeSession(page, 'maria')
  await test.step('with too little Milleage the dialog explains how to earn it, and OK is disabled', async () => {
    await openHydrated(page, '/itemshop?q=mami')
    await page.getByText('How do I get Milleage?').click()
    await expect(page.getByText('15 Milleage for every full hour').first()).toBeVisible()
    await page
      .getByRole('button', { name: /Buy now/ })
      .first()
      .click()
    await expect(dialog).toContainText('Missing')
    await expect(dialog.getByText('15 Milleage for every full hour')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'OK' })).toBeDisabled()
    await expect(dialog.getByRole('link', { name: 'Top Up R-Coin' })).toHaveCount(0)
  })
  await test.step('a low balance, an empty history and a history that fails to load have their texts', async () => {
    await openHydrated(page, '/itemshop/2')
    await page.getByRole('main').getByRole('button', { name: 'Buy now', exact: true }).first().click()
    await expect(dialog).toContainText('Missing')
    await dialog.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByText('Not enough R-Coin.')).toBeVisible()
    await openHydrated(page, '/shoppurchases')
    await expect(page.getByText('No Data')).toBeVisible()
    await page.route('**/api/topuphistory**', (route) => route.fulfill({ status: 500, json: {} }))
    await openHydrated(page, '/topuphistory')
    await expect(page.getByText('Failed to fetch purchase history').first()).toBeVisible()
    await page.unroute('**/api/topuphistory**')
  })
  await test.step('a voucher code typed in lower case is shown in capitals', async () => {
    await openHydrated(page, '/topup')
    const codeField = page.getByLabel('Voucher Code')
    // The field already has the focus, so screen readers announce its error.
    await codeField.press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'Voucher Code is required.' })).toBeVisible()
    await codeField.pressSequentially('demo-1000-aaae')
    await expect(codeField).toHaveValue('DEMO-1000-AAAE')
    await page.getByLabel('Referral Code').pressSequentially('tambayan')
  })
  await test.step('a second press after a lost response pays once', async () => {
    const idempotencyKeys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/processCoupon')) idempotencyKeys.push(request.headers()['idempotency-key'])
    })
    await page.route('**/api/processCoupon', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Redeem' }).click()
    await expect(page.getByText('It is safe to press Redeem again')).toBeVisible()
    await expect.poll(() => readRCoin(page)).toBe(1000)
    await page.unroute('**/api/processCoupon')
    await page.getByRole('button', { name: 'Redeem' }).click()
    await expect(
      page.getByText('Your code has been redeemed. You got 1,000.00 R-Coin and have 1,000.00 now.').first(),
    ).toBeVisible()
    expect(idempotencyKeys).toHaveLength(2)
    expect(idempotencyKeys[0]).toBe(idempotencyKeys[1])
    await expect.poll(() => readRCoin(page)).toBe(1000)
    await openHydrated(page, '/topuphistory')
    await expect(page.getByText('DEMO-1000-AAAE')).toBeVisible()
  })
})
