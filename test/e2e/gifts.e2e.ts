import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { storeSession } from './log-in.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Returns the color of a point of the screen. */
async function readColor(page: Page, x: number, y: number): Promise<number[]> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } })
  return [...(await sharp(picture).removeAlpha().raw().toBuffer())]
}

test('a dialog that is longer than a phone has one ground at its top and, after scrolling, at its end', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await storeSession(page)
  await page.goto('/itemshop/3')
  await page.getByRole('button', { name: 'Send as a gift' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveCSS('opacity', '1')
  const { x = 0, y = 0, height = 0 } = (await dialog.boundingBox()) ?? {}
  const ground = await readColor(page, x + 8, y + 8)
  await dialog.getByRole('button', { name: 'Continue' }).scrollIntoViewIfNeeded()
  expect(await readColor(page, x + 8, y + height - 8)).toEqual(ground)
})

test('a player claims the gift of a letter, sends an item and shares a wish list', async ({ page, browser }) => {
  await storeSession(page)
  await test.step('a player claims the gift of a letter on a phone', async () => {
    await page.setViewportSize(PHONE)
    await page.goto('/mailbox')
    await page.getByRole('link', { name: /Second place in the screenshot contest/ }).click()
    await expect(page.getByRole('heading', { name: /Second place/ })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Claim' }).click()
    await expect(page.getByText('You have claimed this gift.')).toBeVisible()
    // The focused button disappears (SHELL-15).
    await expect(page.getByRole('heading', { name: '2 × Midnight mami' })).toBeFocused()
    await page.setViewportSize(DESKTOP)
    await expectGoodScreen(page)
  })
  await test.step('an item is sent as a gift, and the history shows its state', async () => {
    await page.goto('/itemshop/3')
    await page.getByRole('button', { name: 'Send as a gift' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByText('Enter the name of the character.')).toBeVisible()
    await dialog.getByLabel('User ID', { exact: true }).check()
    await dialog.getByLabel('User ID of the player').fill('nobody_here')
    await dialog.getByLabel('Note').fill('Kain tayo!')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByText('no player with this user ID can receive it')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('User ID of the player').fill('Maria')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByText('the player with the user ID maria')).toBeVisible()
    await dialog.getByRole('button', { name: 'Buy and send' }).click()
    await expect(dialog).toBeHidden()
    await page.goto('/shoppurchases')
    await expect(page.getByText('Gift to maria: waits in their mail box')).toBeVisible()
  })
  await test.step('a wish list is shared with a link, which stops working when a new link is made', async () => {
    await page.goto('/wishlist')
    await page
      .getByRole('button', { name: /^Buy now/ })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toContainText('Are you sure you want to buy this item?')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const link = (await page.locator('code').textContent()) ?? ''
    const guest = await browser.newContext({ viewport: PHONE })
    const friend = await guest.newPage()
    const path = new URL(link).pathname + new URL(link).search
    await friend.goto(path)
    await expect(friend.getByRole('heading', { name: 'Wishes of juan' })).toBeVisible()
    await expectGoodScreen(friend)
    await page.getByRole('button', { name: 'New link' }).click()
    await expect(page.getByText('Earlier links no longer work.')).toBeVisible()
    await friend.goto(path)
    await expect(friend.getByText('There is no wish list behind this link.')).toBeVisible()
    await guest.close()
  })
})

test('a capsule shows every chance, confirms, draws, and leaves out drawn prizes', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await storeSession(page)
  await page.goto('/capsuleshop')
  await expectGoodScreen(page)
  await page.getByRole('link', { name: 'See every chance' }).nth(1).click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Draw one' }).click()
  await expect(dialog).toContainText('A draw is final.')
  await dialog.getByRole('button', { name: 'Pay and draw' }).click()
  await expect(dialog).toContainText('You drew')
  await expect(dialog.getByRole('heading')).toBeFocused()
  await expect(dialog.getByRole('status')).toContainText('You drew')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('cell', { name: 'You have it' })).toHaveCount(1)
  await expect(page.getByText('In the last 30 days you spent').first()).toBeVisible()
  await page.getByLabel('Draws a day').fill('many')
  await page.getByRole('button', { name: 'Set my limit' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'A limit is a whole number' })).toBeVisible()
  await expect(page.getByLabel('Draws a day')).toBeFocused()
  await page.getByLabel('Draws a day').fill('1')
  await page.getByRole('button', { name: 'Set my limit' }).click()
  await expect(page.getByText('Your limit counts from now on.')).toBeVisible()
  await expect(page.getByText('You have 1 draw a day')).toBeVisible()
  await page.getByRole('button', { name: 'Draw one' }).click()
  await dialog.getByRole('button', { name: 'Pay and draw' }).click()
  await expect(page.getByText('You have reached the limit that you set yourself for today.')).toBeVisible()
  await page.setViewportSize(DESKTOP)
  await expectGoodScreen(page)
})

test('the desk creates a capsule whose chances add up, and counts the cost of a gift', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/capsules', 'Capsules')
  await page.getByRole('button', { name: 'Create a capsule' }).click()
  await page.getByLabel('Name').fill('Page test mix')
  await page.getByLabel('Price per draw').fill('25')
  await page.getByRole('button', { name: 'Add an item' }).click()
  await page.getByLabel('Item number').fill('3')
  await page.getByLabel('Chance').fill('999999')
  await expect(page.getByText('1 missing')).toBeVisible()
  await page.getByRole('button', { name: 'Create capsule' }).click()
  await expect(page.getByText('have to add up to 1,000,000')).toBeVisible()
  await expectGoodScreen(page)
  await page.getByLabel('Chance').fill('1000000')
  await page.getByRole('button', { name: 'Create capsule' }).click()
  await expect(page.getByRole('heading', { name: 'Page test mix' })).toBeVisible()
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/letters?write=1', 'Letters')
  await page.getByLabel('To', { exact: true }).selectOption('everyone')
  await page.getByLabel('Gift').selectOption('milleage')
  await page.getByLabel('Amount for each player').fill('5')
  await page.getByRole('button', { name: 'Count recipients and cost' }).click()
  await expect(page.getByText(/players × 5 = [\d,]+\. This is the budget/)).toBeVisible()
  await expectGoodScreen(page)
})
