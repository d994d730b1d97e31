import { expect, type Page, test } from '@playwright/test'

const TABS = ['Brawler', 'Archer', 'Sword', 'Shaman', 'Extreme', 'Scientist', 'Assassin']
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const panel = (page: Page) => page.getByRole('tabpanel')
const open = (page: Page, path: string) => page.goto(path, { waitUntil: 'networkidle' })
/** The colour that fills a tab's image: none while it is off. */
const fillOf = (page: Page, name: string) =>
  tab(page, name)
    .locator('svg')
    .evaluate((image) => getComputedStyle(image).getPropertyValue('--emblem-fill').trim())

test('the class guide has its seven tabs in order; one panel shows at a time, by click, by arrow key and by address', async ({
  page,
}) => {
  await open(page, '/characters')
  await expect(page.getByRole('tab')).toHaveText(TABS)
  await expect(tab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')
  await expect(panel(page)).toHaveCount(1)
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Brawler')
  expect(await fillOf(page, 'Brawler')).not.toBe('none')
  expect(await fillOf(page, 'Archer')).toBe('none')

  await tab(page, 'Archer').click()
  await expect(page).toHaveURL(/\/characters\?class=archer$/)
  await expect(panel(page)).toHaveCount(1)
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Archer')
  expect(await fillOf(page, 'Brawler')).toBe('none')
  expect(await fillOf(page, 'Archer')).not.toBe('none')
  const fades = await panel(page).evaluate((box) => box.getAnimations({ subtree: true }).length)
  const faded = await panel(page)
    .locator('> div')
    .evaluate((box) => getComputedStyle(box).animationName)
  expect(fades > 0 || faded !== 'none').toBe(true)

  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Sword')).toBeFocused()
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Sword')
  await page.keyboard.press('End')
  await expect(tab(page, 'Assassin')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Brawler')).toBeFocused()
  await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1)
  await expect(tab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')

  await page.reload({ waitUntil: 'networkidle' })
  await expect(tab(page, 'Brawler')).toHaveAttribute('aria-selected', 'true')
})

test('a class without a tab opens its panel, which does not move for readers who asked for less motion', async ({
  page,
}) => {
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

test('how to start playing is two clicks from home, and each step leads on', async ({ page }) => {
  await open(page, '/')
  await page.locator('a[href="/characters"]').filter({ visible: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Quick guide for beginners' })).toBeVisible()
  const steps = page.locator('ol', { has: page.getByRole('heading', { name: 'Your first hour' }) })
  await expect(steps.getByRole('listitem')).toHaveCount(5)
  for (const path of ['/register', '/downloads', '/story', '/serverinfo', '/instructions', '/gamesystem']) {
    await expect(steps.locator(`a[href="${path}"]`)).toHaveCount(1)
  }
  await steps.getByRole('link', { name: 'Game System' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game System')
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await contents.getByRole('link', { name: 'MMR' }).click()
  await expect(page).toHaveURL(/#mmr$/)
  await expect(page.getByRole('heading', { name: 'MMR' })).toBeInViewport()
  await expect(contents.getByRole('link', { name: 'MMR' })).toHaveAttribute('aria-current', 'true')
})
