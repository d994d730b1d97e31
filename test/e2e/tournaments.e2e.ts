import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

/** Longer than the interval at which the page of a running tournament refreshes. */
const REFRESH_MS = 20_000

test('a player registers for a tournament and withdraws, and the page of a running one refreshes', async ({ page }) => {
  await test.step('a player finds the tournament, registers on a phone, and withdraws', async () => {
    await storeSession(page)
    await page.setViewportSize(PHONE)
    await page.goto('/rankings/tournament')
    await expectGoodScreen(page)
    await page.getByRole('link', { name: /Foundation Week Duel/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Foundation Week Duel' })).toBeVisible()
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText('JuanTamad is registered.')).toBeVisible()
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByRole('button', { name: 'Register' })).toBeVisible()
  })
  await test.step('the page of a running tournament refreshes itself, and the list marks it as live', async () => {
    await openHydrated(page, '/rankings/tournament')
    await expect(page.getByRole('link', { name: /^Live ?Rooftop Cup/ })).toBeVisible()
    await expectGoodScreen(page)
    await page.clock.install()
    await openHydrated(page, '/rankings/tournament/2')
    await page.route('**/api/tournaments/2', async (route) => {
      const tournament = await (await route.fetch()).json()
      await route.fulfill({ json: { ...tournament, name: 'Rooftop Cup, later' } })
    })
    await page.clock.fastForward(REFRESH_MS)
    await expect(page.getByRole('heading', { level: 1, name: 'Rooftop Cup, later' })).toBeVisible()
  })
})

test('an operator enters a result, corrects another after a warning, and plans a tournament', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/tournaments', 'Tournaments')
  await expectGoodScreen(page)
  await page.getByRole('list', { name: 'Tournaments' }).getByRole('link', { name: 'Rooftop Cup' }).click()
  const results = page.getByRole('button', { name: /^Result of/ })
  await expect(page.getByText('3 matches can be played now.')).toBeVisible()
  await expect(results).toHaveCount(3)
  await page.getByRole('button', { name: 'Go to the next one' }).click()
  await expect(results.first()).toBeFocused()
  await expectAccessible(page)
  const enterResult = async (firstScore: string, secondScore: string) => {
    const dialog = page.getByRole('dialog')
    const scores = dialog.getByLabel(/^Score of/)
    await scores.nth(0).fill(firstScore)
    await scores.nth(1).fill(secondScore)
    await dialog.getByRole('button', { name: 'Save the result' }).click()
    return dialog
  }
  const semiFinals = page.getByRole('list', { name: 'Semi-finals' })
  await semiFinals.getByRole('button', { name: /^Result of/ }).click()
  await enterResult('2', '1')
  await expect(results).toHaveCount(2)
  await page
    .getByRole('list', { name: 'Quarter-finals' })
    .getByRole('button', { name: /^Correct of/ })
    .first()
    .click()
  const dialog = await enterResult('2', '1')
  await expect(dialog.getByText('This result depends on it and will be removed:')).toBeVisible()
  await dialog.getByRole('button', { name: 'Redraw them' }).click()
  await expect(results).toHaveCount(3)

  await page.setViewportSize(DESKTOP)
  await page.goto('/admin/tournaments/new')
  await page.getByLabel('Name').fill('Lantern Cup')
  await page.getByLabel('Place 1').selectOption('r_coin')
  await page.getByLabel('How much for place 1').fill('500')
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Lantern Cup' })).toBeVisible()
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Announce it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Announce it' }).click()
  await expect(page.getByText('Registration open', { exact: true })).toBeVisible()
})
