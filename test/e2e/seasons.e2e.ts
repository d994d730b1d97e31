import { expect, test } from '@playwright/test'
import { expectAccessible, expectGoodPage } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

test('the board of a season shows divisions, links to characters, and the ranks of the player', async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await storeSession(context)
  const page = await context.newPage()
  await openHydrated(page, '/rankings/season')
  await expect(page.locator('thead th')).toHaveText([
    'Rank',
    'Character Name',
    'Class',
    'School',
    'Level',
    'Levels gained',
    'Division',
  ])
  await expect(page.getByRole('list', { name: 'Divisions' })).toContainText('Bituin the best 1%')
  const myRanks = page.getByRole('region', { name: 'Your ranks' })
  await expect(myRanks.getByRole('link').first()).toHaveAttribute('href', /^\/character\/\d+$/)
  await expectAccessible(page)
  await expectGoodPage(page)
  await page.getByRole('main').getByRole('link', { name: 'MMR', exact: true }).click()
  await expect(page.locator('thead th').nth(5)).toHaveText('Points')
  const firstLink = page.locator('tbody tr').first().getByRole('link')
  const characterName = await firstLink.innerText()
  await firstLink.click()
  await expect(page).toHaveURL(/\/character\/\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(characterName)
  await expect(page.getByRole('heading', { name: 'Season of Lanterns' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Season of Rains' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Seasons and months' })).toBeVisible()
  await expectGoodPage(page)
  await context.close()
})
