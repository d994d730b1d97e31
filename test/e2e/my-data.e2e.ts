import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { PHONE } from './desk.ts'
import { expectAccessible, expectGoodPage, expectGoodScreen } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'

test('a player hides their characters, downloads their data, and deletes their account', async ({ page }) => {
  const id = `lita${Date.now() % 10_000_000}`
  const registerResponse = await page.request.post('/api/register', {
    data: {
      userId: id,
      userFirstName: 'Lita',
      userLastName: 'Cruz',
      userPassword: 'lagaslas-9',
      userPasswordConfirm: 'lagaslas-9',
      userEmail: `${id}@example.com`,
      secretQuestion: 2,
      secretAnswer: 'Baguio',
      agreeTerms: true,
    },
  })
  expect(registerResponse.ok()).toBe(true)
  const main = page.getByRole('main')
  const logIn = async () => {
    await openHydrated(page, '/login?next=/user')
    await main.getByLabel('User ID').fill(id)
    await main.getByLabel('Password', { exact: true }).fill('lagaslas-9')
    await main.getByRole('button', { name: 'Login' }).click()
  }
  await page.setViewportSize(PHONE)
  await logIn()
  await page.waitForURL('/user')

  const hideSwitch = page.getByRole('switch', { name: 'Leave my characters out' })
  await hideSwitch.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Your characters are left out of activity, titles and pictures.')).toBeVisible()
  await page.reload()
  await expect(hideSwitch).toHaveAttribute('aria-checked', 'true')

  const dialog = page.getByRole('dialog')
  const downloadButton = page.getByRole('button', { name: 'Download my data' })
  await downloadButton.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Current Password')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Current Password').fill('lagaslas-9')
  await dialog.getByLabel('Secret Answer').fill('Cebu')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Secret Answer is incorrect. Please try again.')).toBeVisible()
  await dialog.getByLabel('Secret Answer').fill('baguio')
  const downloadEvent = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const download = await downloadEvent
  expect(download.suggestedFilename()).toBe(`${id}.json`)
  expect(JSON.parse(await readFile(await download.path(), 'utf8')).account.user_id).toBe(id)
  await expect(dialog).toBeHidden()
  await expect(downloadButton).toBeDisabled()
  await expectGoodPage(page)

  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText(/You lose/)).toHaveText(/^You lose 0.* and 0.*\.$/)
  await expectGoodScreen(page)
  await dialog.getByLabel('Your user ID').fill('juan')
  await dialog.getByLabel('Current Password').fill('lagaslas-9')
  await dialog.getByLabel('Secret Answer').fill('Baguio')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('This is not your user ID.')).toBeVisible()
  await dialog.getByLabel('Your user ID').fill(id)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText(/^Your account is locked, and will be deleted on /)).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))).toBeNull()

  await logIn()
  await page.getByRole('button', { name: /keep/i }).click()
  await page.waitForURL('/user')
  await expect(page.getByText(/^You can request the deletion of your account again on /)).toBeVisible()
})
