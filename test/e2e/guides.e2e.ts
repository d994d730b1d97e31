import { expect, type Page, test } from '@playwright/test'
import { openHydrated, waitForHydration } from './hydrated.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const TABS = ['Brawler', 'Archer', 'Sword', 'Shaman', 'Extreme', 'Scientist', 'Assassin']
const findTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const findPanel = (page: Page) => page.getByRole('tabpanel')
/** Returns the fill color of the picture of a tab. It is `none` while the tab is not selected. */
const readFill = (page: Page, name: string) =>
  findTab(page, name)
    .locator('svg')
    .evaluate((image) => getComputedStyle(image).getPropertyValue('--emblem-fill').trim())

test('the class guide opens the panel of a class by click, by arrow key and by address', async ({ page }) => {
  await test.step('the class guide has seven tabs in order, by click, by arrow key and by address', async () => {
    await openHydrated(page, '/characters')
    await expect(page.getByRole('tab')).toHaveText(TABS)
    await expect(findTab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')
    await expect(findPanel(page)).toHaveCount(1)
    await expect(findPanel(page).getByRole('heading', { level: 3 })).toHaveText('Brawler')
    expect(await readFill(page, 'Brawler')).not.toBe('none')
    expect(await readFill(page, 'Archer')).toBe('none')

    await findTab(page, 'Archer').click()
    await expect(page).toHaveURL(/\/characters\?class=archer$/)
    await expect(findPanel(page)).toHaveCount(1)
    await expect(findPanel(page).getByRole('heading', { level: 3 })).toHaveText('Archer')
    expect(await readFill(page, 'Brawler')).toBe('none')
    expect(await readFill(page, 'Archer')).not.toBe('none')
    const animationCount = await findPanel(page).evaluate((box) => box.getAnimations({ subtree: true }).length)
    const animationName = await findPanel(page)
      .locator('> div')
      .evaluate((box) => getComputedStyle(box).animationName)
    expect(animationCount > 0 || animationName !== 'none').toBe(true)

    await page.keyboard.press('ArrowRight')
    await expect(findTab(page, 'Sword')).toBeFocused()
    await expect(findPanel(page).getByRole('heading', { level: 3 })).toHaveText('Sword')
    await page.keyboard.press('End')
    await expect(findTab(page, 'Assassin')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowRight')
    await expect(findTab(page, 'Brawler')).toBeFocused()
    await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1)
    await expect(findTab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')

    await page.reload()
    await waitForHydration(page)
    await expect(findTab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')
  })
  await test.step('a class without a tab opens its panel, without motion if readers prefer that', async () => {
    await openHydrated(page, '/characters?class=nobody')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('link', { name: 'Magician' }).click()
    await expect(findPanel(page).getByRole('heading', { level: 3 })).toHaveText('Magician')
    await expect(page.getByRole('heading', { name: 'Class guide' })).toBeInViewport()
    const animationName = await findPanel(page)
      .locator('> div')
      .evaluate((box) => getComputedStyle(box).animationName)
    expect(animationName).toBe('none')
  })
})

test('on a phone the guides are folded: a press unfolds a text, and so does the focus', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  for (const path of ['/story', '/characters', '/gamesystem', '/instructions']) {
    await openHydrated(page, path)
    const measureHeight = () => page.evaluate(() => document.documentElement.scrollHeight)
    const foldedHeight = await measureHeight()
    expect(foldedHeight, path).toBeLessThan(9000)
    const toggle = page.getByRole('checkbox', { name: /^Show all of / }).first()
    await toggle.check({ force: true })
    expect(await measureHeight(), path).toBeGreaterThan(foldedHeight)
    await toggle.uncheck({ force: true })
    expect(await measureHeight(), path).toBe(foldedHeight)
  }
  await openHydrated(page, '/characters')
  const foldedHeight = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.locator('#quick-guide a').last().focus()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(foldedHeight)
})
