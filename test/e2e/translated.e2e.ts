import { expect, type Page, test } from '@playwright/test'
import { emptyCart } from './empty-cart.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

/** Replaces every text node of a page by a new one, as a browser's translation does. */
const translatePage = (page: Page) =>
  page.evaluate(() => {
    const textWalker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    for (let node = textWalker.nextNode(); node !== null; node = textWalker.nextNode())
      if (node instanceof Text && node.data.trim() !== '' && !node.parentElement?.closest('script, style'))
        texts.push(node)
    for (const text of texts) {
      const outerFont = document.createElement('font')
      const innerFont = document.createElement('font')
      outerFont.append(innerFont)
      innerFont.append(text.data)
      text.replaceWith(outerFont)
    }
  })

test('amounts and counts of a translated cart follow its changes', async ({ page }) => {
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await emptyCart(page.request, await storeSession(page))
  await openHydrated(page, '/itemshop?q=hoodie')
  await page
    .getByRole('button', { name: /Add to cart/ })
    .first()
    .click()
  await expect(page.getByText('Added to cart.').first()).toBeVisible()
  await openHydrated(page, '/shoppingcart')
  const row = page.locator('ul[aria-label="Items in your cart"] > li', { hasText: 'hoodie' })
  const quantity = Number(await row.locator('[aria-live]').textContent())
  await translatePage(page)
  await row.getByRole('button', { name: /^One more/ }).click()
  await expect(row.locator('[aria-live]')).toHaveText(String(quantity + 1))
  const lineAmount = `${((quantity + 1) * 1200).toLocaleString('en')}.00`
  await expect(row).toContainText(lineAmount)

  const receipt = page.getByRole('region', { name: 'Summary' })
  const subtotal = (await receipt.locator('dd').first().textContent()) ?? ''
  await expect(receipt.locator('dd').nth(1)).toHaveText(subtotal)
  const rCoinTotal = receipt.getByRole('list', { name: 'By currency' }).locator('strong').first()
  const cartSum = await page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('ACCESS_TOKEN')}` }
    const lines: { quantity: number; shopitem: { price: number; section: number } }[] = await (
      await fetch('/api/shopcart', { headers })
    ).json()
    return lines.reduce(
      (sum, { quantity, shopitem }) => sum + (shopitem.section === 2 ? quantity * shopitem.price : 0),
      0,
    )
  })
  await expect(rCoinTotal).toContainText(`${cartSum.toLocaleString('en')}.00`)

  await row.getByRole('button', { name: /^One less/ }).click()
  await expect(row.locator('[aria-live]')).toHaveText(String(quantity))
  await expect(receipt.locator('dd').first()).not.toHaveText(subtotal)
  expect(errors).toEqual([])
})

test('the clock of a translated page continues, and its links work', async ({ page }) => {
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await openHydrated(page, '/')
  const clock = page.locator('header time').first()
  await expect(clock).not.toContainText('--')
  await translatePage(page)
  const shownTime = await clock.textContent()
  await expect(clock).not.toHaveText(shownTime ?? '')
  for (const path of ['/news', '/itemshop', '/rankings', '/forum']) {
    await page
      .locator(`a[href="${path}"]`)
      .first()
      .evaluate((link: HTMLElement) => link.click())
    await page.waitForURL((url) => url.pathname === path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    await translatePage(page)
  }
  expect(errors).toEqual([])
})
