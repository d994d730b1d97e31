import { expect, type Page, test } from '@playwright/test'
import { openHydrated, waitForHydration } from './hydrated.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const TABS = ['Brawler', 'Archer', 'Sword', 'Shaman', 'Extreme', 'Scientist', 'Assassin']
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const panel = (page: Page) => page.getByRole('tabpanel')
const open = openHydrated
/** Returns the fill color of a tab's picture; none while the tab is closed. */
const readFill = (page: Page, name: string) =>
  tab(page, name)
    .locator('svg')
    .evaluate((image) => getComputedStyle(image).getPropertyValue('--emblem-fill').trim())

test('the class guide has seven tabs in order, by click, by arrow key and by address', async ({ page }) => {
  await open(page, '/characters')
  await expect(page.getByRole('tab')).toHaveText(TABS)
  await expect(tab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')
  await expect(panel(page)).toHaveCount(1)
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Brawler')
  expect(await readFill(page, 'Brawler')).not.toBe('none')
  expect(await readFill(page, 'Archer')).toBe('none')

  await tab(page, 'Archer').click()
  await expect(page).toHaveURL(/\/characters\?class=archer$/)
  await expect(panel(page)).toHaveCount(1)
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Archer')
  expect(await readFill(page, 'Brawler')).toBe('none')
  expect(await readFill(page, 'Archer')).not.toBe('none')
  const fades = await panel(page).evaluate((box) => box.getAnimations({ subtree: true }).length)
  const animationName = await panel(page)
    .locator('> div')
    .evaluate((box) => getComputedStyle(box).animationName)
  expect(fades > 0 || animationName !== 'none').toBe(true)

  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Sword')).toBeFocused()
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Sword')
  await page.keyboard.press('End')
  await expect(tab(page, 'Assassin')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Brawler')).toBeFocused()
  await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1)
  await expect(tab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')

  await page.reload()
  await waitForHydration(page)
  await expect(tab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')
})

test('a class without a tab opens its panel, without motion if readers prefer that', async ({ page }) => {
  await open(page, '/characters?class=nobody')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('link', { name: 'Magician' }).click()
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Magician')
  await expect(page.getByRole('heading', { name: 'Class guide' })).toBeInViewport()
  const motion = await panel(page)
    .locator('> div')
    .evaluate((box) => getComputedStyle(box).animationName)
  expect(motion).toBe('none')
})

test('on a phone the guides are folded: a press unfolds a text, and so does the focus', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  for (const path of ['/story', '/characters', '/gamesystem', '/instructions']) {
    await openHydrated(page, path)
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    const foldedHeight = await height()
    expect(foldedHeight, path).toBeLessThan(9000)
    const toggle = page.getByRole('checkbox', { name: /^Show all of / }).first()
    await toggle.check({ force: true })
    expect(await height(), path).toBeGreaterThan(foldedHeight)
    await toggle.uncheck({ force: true })
    expect(await height(), path).toBe(foldedHeight)
  }
  await openHydrated(page, '/characters')
  const foldedHeight = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.locator('#quick-guide a').last().focus()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(foldedHeight)
})
