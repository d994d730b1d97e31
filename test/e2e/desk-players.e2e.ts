import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'

test('a player is found, blocked, let in again and noted, on a phone and on a desktop', async ({ page }) => {
  await test.step('on a phone a player is found by a character, blocked with a reason and let in again', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/players', 'Players')
    await expectGoodScreen(page)
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.getByRole('searchbox').or(page.getByLabel('Who are you looking for?')).first().fill('maria')
    await expect(page).toHaveURL('/admin/players#q=maria')
    await page.getByRole('link', { name: 'maria', exact: true }).click()
    expect(addresses.filter((address) => address.endsWith('/api/admin/players')).length).toBeGreaterThan(0)
    expect(addresses.filter((address) => address.includes('maria'))).toEqual([])
    await expect(page.getByRole('heading', { level: 1, name: 'maria' })).toBeVisible()
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByRole('button', { name: 'Block maria' }).click()
    await expect(page.getByText('Please give a reason.')).toBeVisible()
    await page.getByLabel('Reason').fill('You sold R-Coin in the plaza.')
    await page.getByLabel('Note (staff only)').fill('Second time.')
    await page.getByRole('button', { name: 'Block maria' }).click()
    await expect(page.getByText('“You sold R-Coin in the plaza.”').first()).toBeVisible()
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Lift the block' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('A mistake.')
    await dialog.getByRole('button', { name: 'Lift the block' }).click()
    await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible()
  })
  await test.step('on a desktop every tab of a player’s page opens, and a note is written', async () => {
    await page.setViewportSize(DESKTOP)
    await openDesk(page, '/players?q=juan&sort=created_at', 'Players')
    await expect(page).toHaveURL('/admin/players?sort=created_at#q=juan')
    await page.getByRole('link', { name: 'juan', exact: true }).click()
    await expect(page.getByRole('list', { name: 'What happened' })).toBeVisible()
    await expectAccessible(page)
    for (const tab of [/^Account/, /^Bought/, /^Tickets/, /^Blocks/, /^Shared/, /^Personal/]) {
      await page.getByRole('link', { name: tab }).last().click()
      await expectGoodScreen(page)
    }
    await page.getByRole('link', { name: /^Notes \(/ }).click()
    await page.getByLabel('New note').fill('Knows the way to the jeepney.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Knows the way to the jeepney.' })).toBeVisible()
  })
})

test('a blocked player appeals on the login page, and the desk lifts the block', async ({ page, browser, request }) => {
  const credentials = { UserID: 'bantay_1', UserPass: 'bantay-demo-1' }
  const form = {
    userId: credentials.UserID,
    userFirstName: 'Ban',
    userLastName: 'Tay',
    userPassword: credentials.UserPass,
    userPasswordConfirm: credentials.UserPass,
    userEmail: 'bantay@example.com',
    secretQuestion: 1,
    secretAnswer: 'blue',
    gender: 'Male',
    country: '',
    agreeTerms: true,
  }
  expect((await request.post('/api/register', { data: form })).status()).toBe(200)
  await openDesk(page, '/players', 'Players')
  const { data } = (await (await request.post('/api/processlogin', { data: credentials })).json()) as {
    data: { user: { UserNum: number } }
  }
  const token = await page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))
  const block = {
    user_num: data.user.UserNum,
    block: null,
    reason: 'A program played for you.',
    ends_at: null,
    note: '',
  }
  const headers = { Authorization: `Bearer ${token}` }
  expect((await request.post('/api/admin/players/block', { data: block, headers })).status()).toBe(200)

  const guest = await browser.newContext({ viewport: PHONE })
  const loginPage = await guest.newPage()
  await openHydrated(loginPage, '/login')
  const main = loginPage.getByRole('main')
  await main.getByLabel('User ID').fill(credentials.UserID)
  await main.getByLabel('Password', { exact: true }).fill(credentials.UserPass)
  await main.getByRole('button', { name: 'Login' }).click()
  await expect(main.getByText('This account is blocked. A program played for you.')).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Blocked' })).toBeFocused()
  await main.getByRole('button', { name: 'Send my appeal' }).click()
  await expect(main.getByRole('alert')).toHaveText('Please tell us why.')
  await main.getByLabel('Why should we lift the block?').fill('I was at school.')
  await expectGoodScreen(loginPage)
  await main.getByRole('button', { name: 'Send my appeal' }).click()
  await expect(main.getByText(/^Your appeal was sent\./)).toBeVisible()
  await expectGoodScreen(loginPage)
  await guest.close()

  await page.setViewportSize(PHONE)
  await openDesk(page, '/appeals', 'Appeals')
  const appeal = page.getByRole('listitem').filter({ hasText: 'I was at school.' }).first()
  await expect(appeal).toBeVisible()
  await expectGoodScreen(page)
  await page.setViewportSize(DESKTOP)
  await expectGoodScreen(page)
  await page.getByRole('button', { name: /^Lift the block….*bantay_1/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('You were.')
  await dialog.getByRole('button', { name: /^Lift the block/ }).click()
  await expect(page.getByText('bantay_1 can log in again.')).toBeVisible()
  await expect(page.getByText('I was at school.', { exact: true })).toBeHidden()
})
