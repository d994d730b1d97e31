import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

test('an invited player accepts the role at the desk and replaces a short password there', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(DESKTOP)
  const userId = `tala_${Date.now() % 100_000}`
  const form = {
    userId,
    userFirstName: 'Tala',
    userLastName: 'Cruz',
    userEmail: `${userId}@example.ph`,
    userPassword: 'bituin-7',
    userPasswordConfirm: 'bituin-7',
    secretQuestion: 1,
    secretAnswer: 'adobo',
    gender: 'Female',
    country: 'PH',
    agreeTerms: true,
  }
  expect((await page.request.post('/api/register', { data: form })).status()).toBe(200)
  await openDesk(page, '/staff?invite=1', 'Staff')
  await page.getByLabel('User ID').fill(userId)
  await page.getByLabel('Role').selectOption({ label: 'News' })
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText('News, not accepted')).toBeVisible()
  const offerRow = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: userId }) })
  await expect(offerRow.getByRole('button', { name: /^Withdraw/ })).toBeVisible()
  await expect(offerRow.getByRole('button', { name: /^Suspend access/ })).toBeHidden()
  await expectGoodScreen(page)

  const invitedPage = await browser.newPage({ viewport: PHONE })
  const credentials = { UserID: userId, UserPass: 'bituin-7' }
  const { data } = await (await invitedPage.request.post('/api/processlogin', { data: credentials })).json()
  await invitedPage.addInitScript(
    ([token, user]) => {
      localStorage.setItem('ACCESS_TOKEN', localStorage.getItem('ACCESS_TOKEN') ?? String(token))
      localStorage.setItem('USER_DATA', String(user))
    },
    [data.token, JSON.stringify(data.user)],
  )
  await invitedPage.clock.install()
  await invitedPage.goto('/admin')
  await expect(invitedPage.getByRole('heading', { level: 1, name: 'You have been offered a role' })).toBeVisible()
  await expectGoodScreen(invitedPage)
  const password = invitedPage.getByLabel('Password', { exact: true })
  await password.fill('bituin-7')
  // Longer than the interval at which the desk reloads the waiting work.
  await invitedPage.clock.runFor(70_000)
  await expect(password).toHaveValue('bituin-7')
  await invitedPage.getByRole('button', { name: 'Accept' }).click()
  await expect(invitedPage.getByText('Passwords of staff must have 12 to 20 characters.')).toBeVisible()
  await invitedPage.getByLabel('New Password', { exact: true }).fill('lawa-bituin-oso')
  await invitedPage.getByLabel('Retype New Password').fill('lawa-bituin-oso')
  await expectGoodScreen(invitedPage)
  await invitedPage.getByRole('button', { name: 'Accept' }).click()
  await expect(invitedPage.getByRole('navigation', { name: 'Quick links' })).toBeVisible()
  await invitedPage.close()
  await page.reload()
  await expect(page.getByText('News, not accepted')).toBeHidden()
})
