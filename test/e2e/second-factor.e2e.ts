import { createServer } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { generateCode } from '../factor-helpers.ts'
import { DESKTOP, PHONE } from './desk.ts'
import { expectAccessible, expectGoodPage, expectGoodScreen } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { startSeparateSite } from './start-site.ts'

/** Starts a site at localhost, because browsers support passkeys only there and on https. */
async function startAtLocalhost() {
  const port = await new Promise<number>((resolve) => {
    const portServer = createServer().listen(0, '127.0.0.1', () => {
      const { port } = portServer.address() as { port: number }
      portServer.close(() => resolve(port))
    })
  })
  const origin = `http://localhost:${port}`
  const site = await startSeparateSite({ PORT: String(port), PUBLIC_URL: origin })
  return { origin, stop: site.stop }
}

/** Adds an authenticator to the browser that verifies its user, like a phone with a fingerprint sensor. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a player sets up an app and a passkey, and logs in with each and with a recovery code', async ({ browser }) => {
  test.setTimeout(240_000)
  const { origin, stop } = await startAtLocalhost()
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: origin })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  await addAuthenticator(page)
  const dialog = page.getByRole('dialog')
  const main = page.getByRole('main')

  const submitPassword = async () => {
    await openHydrated(page, '/login')
    await main.getByLabel('User ID').fill('maria')
    await main.getByLabel('Password', { exact: true }).fill('maria-demo-1')
    await main.getByRole('button', { name: 'Login' }).click()
  }
  const logOut = async () => {
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await page.waitForURL('/login')
  }

  await submitPassword()
  await page.waitForURL('/')
  await page.goto('/user')
  await expect(page.getByText('Your password alone opens your account.')).toBeVisible()

  // The server requires a confirmation if the last one is too old; the test makes it do so once.
  let requests = 0
  await page.route('**/api/factors/totp', (route) =>
    requests++ === 0
      ? route.fulfill({ status: 403, json: { error: 'x', message: 'x', reason: 'sudo' } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Set up an app' }).click()
  await dialog.getByLabel('Current Password').fill('hindi')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('Password is incorrect. Please try again.')).toBeVisible()
  await dialog.getByLabel('Current Password').fill('maria-demo-1')
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  await expect(dialog.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible()
  await page.setViewportSize(PHONE)
  await expectAccessible(page)
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await dialog.getByLabel('Code from the app').fill('000000')
  await dialog.getByRole('button', { name: 'Turn it on' }).click()
  await expect(dialog.getByText('This code is not correct.', { exact: false })).toBeVisible()
  await dialog.getByLabel('Code from the app').fill(generateCode(secret, new Date()))
  await dialog.getByRole('button', { name: 'Turn it on' }).click()

  await expect(dialog.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  await expectGoodPage(page)
  const [recoveryCode = ''] = await dialog.getByRole('listitem').allTextContents()
  await dialog.getByRole('button', { name: 'Copy the codes' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(recoveryCode)
  const downloadEvent = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await downloadEvent).suggestedFilename()).toBe('recovery-codes-maria.txt')
  await dialog.getByRole('button', { name: 'I have saved them' }).click()

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name').fill('Telepono ni Maria')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Remove Telepono ni Maria' })).toBeVisible()
  await expect(dialog).toBeHidden()
  await expectGoodPage(page)

  await logOut()
  await openHydrated(page, '/')
  const panel = page.getByRole('region', { name: 'Your account' })
  await panel.getByLabel('User ID').fill('maria')
  await panel.getByLabel('Password').fill('maria-demo-1')
  await panel.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('/login')
  await expect(main.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.setViewportSize(PHONE)
  await expectAccessible(page)
  await page.setViewportSize(DESKTOP)
  await main.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('/')

  await logOut()
  await submitPassword()
  await main.getByRole('button', { name: 'Use the app' }).click()
  await expect(main.getByLabel('Code from the app')).toBeFocused()
  await main.getByLabel('Code from the app').fill('000000')
  await main.getByRole('button', { name: 'Login' }).click()
  await expect(main.getByText('This code is not correct. Please try again.')).toBeVisible()
  await expectGoodScreen(page)
  await main.getByLabel('Code from the app').fill(generateCode(secret, new Date(Date.now() + 30_000)))
  await main.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('/')

  await logOut()
  await submitPassword()
  await main.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.evaluate((code) => navigator.clipboard.writeText(` ${code}\n`), recoveryCode)
  await main.getByLabel('Recovery code').press('ControlOrMeta+v')
  await main.getByLabel('Recovery code').press('Enter')
  await page.waitForURL('/')

  await page.goto('/user')
  await expect(page.getByText('9 of 10 are unused.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Telepono ni Maria' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(main.getByText('Second factor removed: Telepono ni Maria')).toBeVisible()
  await context.close()
  await stop()
})
