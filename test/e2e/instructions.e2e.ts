import { expect, type Page, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'

const PARTS = [
  ['status', 'Character status'],
  ['items', 'Item quick slot'],
  ['skills', 'Skill quick slot'],
  ['chat', 'Chat window'],
  ['shortcuts', 'Shortcut slot'],
  ['inventory', 'Inventory (key I)'],
  ['map', 'Map (key M)'],
  ['keys', 'Shortcut keys type A and B'],
  ['mouse', 'Mouse control type A and B'],
] as const

const findPopup = (page: Page) => page.getByRole('dialog')
const findRegion = (page: Page, title: string) =>
  page.getByRole('list', { name: 'The nine regions of the picture' }).getByRole('link', { name: title })

test('the popup of a region opens by click, by keyboard and by address, and holds the focus', async ({ page }) => {
  await test.step('a region opens its popup by click and by keyboard, with an address; Escape and Back close it', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openHydrated(page, '/instructions')
    for (const [partName, title] of [PARTS[0], PARTS[8]]) {
      await findRegion(page, title).click()
      await expect(findPopup(page).getByRole('heading', { name: title, level: 2 })).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`/instructions\\?part=${partName}$`))
      await page.goBack()
      await expect(findPopup(page)).toBeHidden()

      await findRegion(page, title).focus()
      await page.keyboard.press('Enter')
      await expect(findPopup(page).getByRole('heading', { name: title, level: 2 })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(findPopup(page)).toBeHidden()
      await expect(page).toHaveURL(/\/instructions$/)
      await expect(findRegion(page, title)).toBeFocused()
    }
  })
  await test.step('an open popup traps the focus, also after Next, and closes after a press outside', async () => {
    await openHydrated(page, '/instructions')
    const findText = (title: string) => findPopup(page).getByRole('region', { name: `${title}: text` })
    await findRegion(page, 'Chat window').click()
    await expect(findText('Chat window')).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    expect(
      await findPopup(page).evaluate(
        (box) => box.contains(document.activeElement) || document.activeElement === document.body,
      ),
    ).toBe(true)
    await findPopup(page).getByRole('link', { name: 'Next: Shortcut slot' }).click()
    await expect(findText('Shortcut slot')).toBeFocused()
    await page.mouse.click(20, 400)
    await expect(findPopup(page)).toBeHidden()
    await expect(page).toHaveURL(/\/instructions$/)
    await expect(findRegion(page, 'Shortcut slot')).toBeFocused()
  })
  await test.step('a shared popup opens with its title, links the next popup and has the exact chat costs', async () => {
    await openHydrated(page, '/instructions?part=chat')
    await expect(page).toHaveTitle(/^Chat window \| /)
    const channelTable = findPopup(page).getByRole('table', { name: 'Channels and what they cost' })
    await expect(channelTable.getByRole('row', { name: /^Regional channel/ })).toContainText('10,000 gold per message')
    await expect(channelTable.getByRole('row', { name: /^Party search channel/ })).toContainText(
      '20,000 gold per message, usable once every 2 minutes',
    )
    await findPopup(page).getByRole('link', { name: 'Next: Shortcut slot' }).click()
    await expect(page).toHaveURL(/part=shortcuts$/)
    await expect(findPopup(page)).toHaveCount(1)
    await findPopup(page).getByRole('link', { name: 'Close' }).click()
    await expect(findPopup(page)).toBeHidden()
    await expect(page).toHaveURL(/\/instructions$/)
    await expect(findRegion(page, 'Shortcut slot')).toBeFocused()
  })
})

test('a press on Next takes effect although the page’s code is still loading', async ({ page }) => {
  let sendScript = () => {}
  const scriptDelay = new Promise<void>((resolve) => {
    sendScript = resolve
  })
  await page.route(/instructions-page.*\.js/, async (route) => {
    await scriptDelay
    await route.continue()
  })
  await page.goto('/instructions?part=chat', { waitUntil: 'commit' })
  const next = findPopup(page).getByRole('link', { name: 'Next: Shortcut slot' })
  await next.hover()
  await page.mouse.down()
  sendScript()
  await expect(page.locator('dialog:modal')).toBeVisible()
  await page.mouse.up()
  await expect(page).toHaveURL(/part=shortcuts$/)
})

test('on a phone each region is a card, and the tables show both types next to each other', async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 }, hasTouch: true })
  await test.step('on a phone each region is a card with a readable part of the picture', async () => {
    await openHydrated(page, '/instructions')
    const cards = page.locator('#screen ul').getByRole('link')
    await expect(cards).toHaveCount(PARTS.length)
    // On a phone the whole picture would be drawn at a third of its size.
    const cardScales = await cards
      .locator('svg:has(use)')
      .evaluateAll((drawings) => drawings.map((drawing) => (drawing as SVGSVGElement).getScreenCTM()?.a ?? 0))
    expect(cardScales).toHaveLength(PARTS.length)
    expect(Math.min(...cardScales)).toBeGreaterThan(0.5)
    await cards.last().focus()
    await expect(cards.last()).toBeInViewport({ ratio: 0.5 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
  await test.step('on a phone the tables of keys and of the mouse show both types next to each other', async () => {
    await openHydrated(page, '/instructions')
    const box = await findRegion(page, 'Item quick slot').boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'Two complete sets of keys' })
      .getByRole('link')
      .tap()
    const keyTable = findPopup(page).getByRole('table', { name: 'Default key table' })
    await expect(keyTable.getByRole('columnheader')).toContainText(['Action', 'Type A', 'Type B'])
    await expect(keyTable.getByRole('row', { name: /^Walk ↑/ }).getByRole('cell')).toHaveText(['↑ ← ↓ →', 'W A S D'])
    await expect(keyTable.getByRole('row', { name: /^Inventory/ }).getByRole('cell')).toHaveText(['I', 'I'])
    await findPopup(page).getByRole('link', { name: 'Next: Mouse control type A and B' }).tap()
    const mouseTable = findPopup(page).getByRole('table', { name: 'Mouse control' })
    await expect(mouseTable.getByRole('row', { name: /^Drag/ }).getByRole('cell')).toHaveText([
      'Turns the camera',
      'Follows the pointer',
    ])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
  await page.close()
})
