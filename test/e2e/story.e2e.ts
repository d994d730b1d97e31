import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'

test('the story and the policies lead to their parts', async ({ page }) => {
  await test.step('the story has its chapters, and a place pointed at lights up on the map and in the list', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openHydrated(page, '/story')
    await page
      .getByRole('navigation', { name: 'Chapters' })
      .getByRole('link', { name: /Phoenix/ })
      .click()
    await expect(page).toHaveURL(/#phoenix$/)
    await expect(page.getByRole('heading', { level: 2, name: 'Phoenix' })).toBeInViewport()

    const map = page.getByRole('group', { name: 'World map of the campus' })
    await expect(map.getByRole('link')).toHaveCount(16)
    // Every link is named by its visible text, including the names on the map with two lines.
    const { violations } = await new AxeBuilder({ page })
      .withRules(['label-content-name-mismatch', 'link-name'])
      .analyze()
    expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([])
    for (const name of ['Library basement', 'River Tahimik'])
      await expect(map.getByRole('link', { name, exact: true })).toHaveCount(1)
    const bridge = map.getByRole('link', { name: 'Sky Bridge' })
    const windItem = page.getByRole('listitem').filter({ hasText: 'wind from the left' })
    await bridge.hover()
    await expect(windItem).toHaveAttribute('data-chosen', 'true')
    await map.getByRole('link', { name: 'Old Market' }).focus()
    await expect(windItem).not.toHaveAttribute('data-chosen')
    await bridge.click()
    await expect(page).toHaveURL(/#place-sky-bridge$/)
    await expect(windItem).toBeInViewport()
  })
  await test.step('the contents of a policy lead to its sections', async () => {
    await openHydrated(page, '/privacypolicy')
    await expect(page.getByText('the operators of Tambayan Online').first()).toBeVisible()
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Your rights' }).click()
    await expect(page).toHaveURL(/#rights$/)
    await expect(page.getByRole('heading', { name: /Your rights/ })).toBeInViewport()
  })
})

test('on a phone a tap on a place of the map shows its sentence, in readable letters', async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 780 }, hasTouch: true })
  await openHydrated(page, '/story#map')
  const map = page.getByRole('group', { name: 'World map of the campus' })
  await map.getByRole('link', { name: 'The co-op' }).tap()
  await expect(page.getByRole('status').filter({ hasText: 'Sells everything but erasers' })).toBeVisible()
  const textHeight = await map.getByText('The co-op').evaluate((text) => text.getBoundingClientRect().height)
  expect(textHeight).toBeGreaterThanOrEqual(12)
  await page.close()
})
