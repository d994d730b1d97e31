import { expect, type Locator, type Page, test } from '@playwright/test'
import { PROGRESS_DIALOG_MS } from '#contract/limits.ts'
import { findHiddenSelectors } from './first-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'
import { readMailedLink } from './mails.ts'

async function logIn(page: Page, userId: string, password: string, query = ''): Promise<void> {
  await openHydrated(page, `/login${query}`)
  const main = page.getByRole('main')
  await main.getByLabel('User ID').fill(userId)
  await main.getByLabel('Password', { exact: true }).fill(password)
  await main.getByRole('button', { name: 'Login' }).click()
}

const expectText = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible()
const measureBox = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
const measureBottom = async (locator: Locator) => {
  const { y, height } = await measureBox(locator)
  return y + height
}
const readStoredValues = (page: Page) => page.evaluate(() => ({ ...localStorage }))

test('a refused login shows its reasons where the player looks, and the typed values stay', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await openHydrated(page, '/login')
  const form = page.getByRole('main').locator('form')
  const passwordField = form.getByLabel('Password', { exact: true })
  const loginButton = form.getByRole('button', { name: 'Login', exact: true })
  const toast = page.locator('[data-toasts] [data-sonner-toast]')
  await form.getByLabel('User ID').fill('juan')
  await passwordField.fill('wrong-one')
  await loginButton.click()
  await test.step('the reason is in the card, and the whole form stays on the first screen', async () => {
    await expect(form.getByText('User ID or password is incorrect.')).toBeInViewport({ ratio: 1 })
    await expect(form.getByLabel('User ID')).toHaveValue('juan')
    expect(await page.evaluate(() => scrollY)).toBe(0)
    expect(
      await findHiddenSelectors(page, [
        ['form input', 2],
        ['form button[type=submit]', 1],
        ['form a[href="/findaccount"]', 1],
      ]),
    ).toEqual([])
  })
  await test.step('the toast covers neither the field with the error, nor the header, nor the bottom bar', async () => {
    await expect(toast).toBeVisible()
    await expect
      .poll(async () => (await measureBox(toast)).y)
      .toBeGreaterThanOrEqual(await measureBottom(page.locator('header')))
    expect(await measureBottom(toast)).toBeLessThan(300)
    const [field, toastBox] = [await measureBox(passwordField), await measureBox(toast)]
    expect(toastBox).toMatchObject({ x: 16, width: 328 })
    expect(toastBox.y >= field.y + field.height || toastBox.y + toastBox.height <= field.y).toBe(true)
  })
  await test.step('missing values are shown at their fields', async () => {
    await form.getByLabel('User ID').fill('')
    await passwordField.fill('')
    await loginButton.click()
    await expectText(page, 'Username is required.')
    await expectText(page, 'Password is required.')
    await expect(form.getByLabel('User ID')).toBeFocused()
  })
  await test.step('a network error is shown once (FAIL-3), and too many requests have the alert of FAIL-4', async () => {
    await form.getByLabel('User ID').fill('juan')
    await passwordField.fill('x')
    await page.route('**/api/processlogin', (route) => route.abort())
    await loginButton.click()
    await loginButton.click()
    await expect(page.getByText('Network error. Please check your connection.')).toHaveCount(1)
    await page.unroute('**/api/processlogin')
    await page.route('**/api/processlogin', (route) => route.fulfill({ status: 429, json: {} }))
    await loginButton.click()
    await expectText(page, 'Too many Requests! try again later')
  })
  await test.step('a failed search for an account has its dialog', async () => {
    await openHydrated(page, '/findaccount')
    await context.setOffline(true)
    await page.getByLabel('Email Address').first().fill('a@b.ph')
    await page.getByRole('button', { name: 'Find ID' }).click()
    await expectText(page, 'ERROR!')
    await expectText(page, 'An unexpected error occurred. Please try again.')
    await expect(page.getByText('Network error')).toHaveCount(0)
  })
})

/** Ways in which a browser blocks its storage, as init scripts of a page. */
const STORAGE_FAULTS = {
  blocked: () => {
    const throwStorageError = () => {
      throw new DOMException('Access is denied.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, { get: throwStorageError })
    }
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  },
}

for (const [name, fault] of Object.entries(STORAGE_FAULTS)) {
  test(`logs in for this page when the browser’s storage is ${name}, and explains it`, async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.addInitScript(fault)
    await logIn(page, 'maria', 'maria-demo-1')
    await expectText(
      page,
      'Your browser stores nothing for this site, so you are logged in on this page only. Allow site data in its settings to stay logged in.',
    )
    await page.waitForURL('/')
    await page.getByRole('link', { name: 'My Account' }).first().click()
    await expect(page.getByText('Account Information').first()).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await page.waitForURL('/login')
    expect(errors).toEqual([])
  })
}

test('a login sent before the page’s scripts have loaded is completed after they load', async ({ page }) => {
  const { promise: scriptDelay, resolve: sendScripts } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scriptDelay
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  const card = page.getByRole('main').locator('form')
  await card.getByLabel('User ID').fill('maria')
  await card.getByLabel('Password', { exact: true }).fill('maria-demo-1')
  await card.getByRole('button', { name: 'Login' }).click()
  sendScripts()
  await expect(page).toHaveURL('/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))).not.toBeNull()
})

test('a login stores the session until a logout in any tab or an invalid token ends it', async ({ page, context }) => {
  await test.step('guests who open a page for players are sent to the login', async () => {
    for (const path of ['/user', '/topuphistory?page=2']) {
      await page.goto(path)
      await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === path)
    }
  })
  await test.step('a login stores the session, and later logins are not needed', async () => {
    await logIn(page, 'juan', 'juan-demo-1')
    await page.waitForURL('/')
    const session = await readStoredValues(page)
    expect(session.USER_TYPE).toBe('1')
    expect(session.ACCESS_TOKEN).toMatch(/^[\w-]{43}$/)
    expect(JSON.parse(session.USER_DATA ?? '')).toMatchObject({ UserID: 'juan' })
    expect(session.USER_DATA).not.toContain('example.com')
    for (const path of ['/login', '/findaccount']) {
      await page.goto(path)
      await page.waitForURL('/')
    }
  })
  await test.step('the server corrects a tampered user type', async () => {
    await page.evaluate(() => localStorage.setItem('USER_TYPE', '11'))
    await page.goto('/user')
    await expect.poll(async () => (await readStoredValues(page)).USER_TYPE).toBe('1')
  })
  await test.step('a logout logs out every open tab', async () => {
    await page.goto('/')
    const otherPage = await context.newPage()
    // A request that is refused after the logout would open the home page instead of the login.
    await otherPage.goto('/user', { waitUntil: 'networkidle' })
    await expect(otherPage.getByText('Account Information').first()).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await page.waitForURL('/login')
    await otherPage.waitForURL(/\/login\?next=%2Fuser/)
    await otherPage.close()
    expect(Object.keys(await readStoredValues(page))).not.toContain('ACCESS_TOKEN')
  })
  await test.step('a login greets an admin and opens the page in `next`', async () => {
    await logIn(page, 'gm', 'gm-demo-1', '?next=/user')
    await expectText(page, 'Welcome back admin! gm Logging in...')
    await page.waitForURL('/user')
  })
  await test.step('an invalid token logs out with a message', async () => {
    await page.evaluate(() => localStorage.setItem('ACCESS_TOKEN', 'y'.repeat(43)))
    // The message may disappear before the load event of a slow page.
    await page.goto('/user', { waitUntil: 'commit' })
    await expectText(page, 'Session expired. Please log in again.')
    await page.waitForURL('/')
    expect(Object.keys(await readStoredValues(page))).not.toContain('USER_DATA')
  })
  await test.step('a login opens no other site', async () => {
    await logIn(page, 'maria', 'maria-demo-1', '?next=//evil.example')
    await page.waitForURL('/')
  })
})

test('a new player registers, verifies the email address, edits details and changes the password', async ({ page }) => {
  test.setTimeout(120_000)
  const id = `ana${Date.now() % 10_000_000}`
  const email = `${id}@example.com`
  const main = page.getByRole('main')

  await openHydrated(page, '/register')
  // The hint of a new user ID is the field's description, not part of its name.
  const userId = page.getByRole('textbox', { name: 'User ID', exact: true })
  await expect(userId).toHaveAccessibleDescription('4 to 20: A–Z, a–z, 0–9, _')
  await page.getByRole('button', { name: 'Submit' }).click()
  for (const text of [
    'Username is required.',
    'Password is required.',
    'Confirm - Password is required.',
    'Email is required.',
    'Secret Answer is required.',
  ]) {
    await expectText(page, text)
  }
  await page.getByLabel('User ID').fill('juan')
  await page.getByLabel('Email', { exact: true }).fill('nope')
  await page.getByLabel('First Name').fill('Ana')
  await page.getByLabel('Last Name').fill('Reyes')
  await page.getByLabel('Female').check()
  await page.getByLabel('Password', { exact: true }).fill('lagaslas-9')
  await page.getByLabel('Confirm Password').fill('lagaslas-8')
  await page.getByLabel('Secret Question').selectOption('2')
  await page.getByLabel('Secret Answer').fill('Baguio')
  await page.getByLabel('Country').selectOption('PH')
  await expectText(page, 'Enter a valid email address.')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('*This Username is already taken.')).toBeVisible()
  await page.getByLabel('User ID').fill(id)
  await page.getByLabel('Confirm Password').fill('lagaslas-9')
  await page.getByLabel('I have read').check()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expectText(page, 'Your account is ready. Please check your email to verify your address.')
  await page.waitForURL('/')

  await page.goto(await readMailedLink(email, '/verifyemail'))
  await page.getByRole('button', { name: 'Confirm my email address' }).click()
  await expectText(page, 'Your email address is verified.')

  await logIn(page, id, 'lagaslas-9', '?next=/user')
  await page.waitForURL('/user')
  await expectText(page, `${id[0]}${'*'.repeat(email.length - 1)}`)
  await page.getByRole('button', { name: 'Whitelist this IP' }).click()
  await expectText(page, 'Your address has been whitelisted.')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('button', { name: 'Whitelist this IP' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Edit details' }).click()
  await page.getByLabel('First Name').fill('Ana Maria')
  await page.getByRole('button', { name: 'Save details' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expectText(page, 'Password is incorrect. Please try again.')
  await dialog.getByLabel('Current Password').fill('lagaslas-9')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('/login')

  await page.clock.install()
  await openHydrated(page, '/findaccount')
  await page.getByRole('button', { name: 'Find Password' }).click()
  await expectText(page, 'User ID is required to retrieve your Password.')
  await expectText(page, 'Email Address is required to retrieve your Password.')
  await page.getByLabel('User ID').fill(id)
  await page.getByLabel('Email Address').nth(1).fill(email)
  await page.getByRole('button', { name: 'Find Password' }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(page.getByLabel('User ID')).toHaveValue('')
  await page.clock.fastForward(PROGRESS_DIALOG_MS)
  await expect(page.getByText('If an account matches')).toBeVisible()

  await openHydrated(page, await readMailedLink(email, '/resetpassword'))
  await page.getByLabel('New Password', { exact: true }).fill('abcd')
  await page.getByLabel('Retype New Password').fill('abcde')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expectText(page, 'New Password must be at least 5 characters long.')
  await expectText(page, 'New Password and Re-Enter Password Does not match!')
  await page.getByLabel('New Password', { exact: true }).fill('bundok-at-dagat')
  await page.getByLabel('Retype New Password').fill('bundok-at-dagat')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await page.waitForURL('/login')

  await logIn(page, id, 'bundok-at-dagat', '?next=/changepassword')
  await page.waitForURL('/changepassword')
  await main.getByLabel('Current Password').fill('bundok-at-dagat')
  await main.getByLabel('New Password', { exact: true }).fill('tala-at-ulap-3')
  await main.getByLabel('Retype New Password').fill('tala-at-ulap-3')
  await main.getByRole('button', { name: 'Change Password' }).click()
  await expectText(page, 'Confirm Secret Answer')
  await page.getByPlaceholder('Secret Answer').fill('Cebu')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expectText(page, 'Secret Answer is incorrect. Please try again.')
  await page.getByPlaceholder('Secret Answer').fill(' baguio ')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL('/login', { timeout: 15_000 })
  await logIn(page, id, 'tala-at-ulap-3')
  await page.waitForURL('/')
})

test('a refused change of details is shown under its field and nowhere else', async ({ page }) => {
  await storeSession(page)
  await openHydrated(page, '/user')
  const dialog = page.getByRole('dialog')
  const saveWithAnswer = async (status: number, json: object) => {
    await page.route('**/api/updateuserdetails', (route) => route.fulfill({ status, json }))
    await page.getByRole('button', { name: 'Save details' }).click()
    await dialog.getByLabel('Current Password').fill('juan-demo-1')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog).toHaveCount(0)
    await page.unroute('**/api/updateuserdetails')
  }
  await page.getByRole('button', { name: 'Edit details' }).click()
  await saveWithAnswer(500, { error: 'It broke.', message: 'It broke.' })
  await expect(page.getByText('It broke.')).toHaveCount(0)
  const emailTakenText = 'This Email is already in use.'
  await saveWithAnswer(422, {
    error: emailTakenText,
    message: emailTakenText,
    'form-error': { UserEmail: [emailTakenText] },
  })
  await expect(page.getByText(emailTakenText)).toHaveCount(1)
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
})

test.describe('the mail about a changed email address', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('its link undoes the change after a press of a button, and requires a new password', async ({ page }) => {
    test.setTimeout(90_000)
    const id = `ines${Date.now() % 10_000_000}`
    const email = `${id}@example.com`
    const post = async (path: string, data: object, headers = {}) => {
      const answer = await page.request.post(`/api${path}`, { data, headers })
      expect(answer.ok()).toBe(true)
      return answer.json()
    }
    await post('/register', {
      userId: id,
      userFirstName: 'Ines',
      userLastName: 'Cruz',
      userPassword: 'lagaslas-9',
      userPasswordConfirm: 'lagaslas-9',
      userEmail: email,
      secretQuestion: 2,
      secretAnswer: 'Baguio',
      agreeTerms: true,
    })
    const logInByCall = () => post('/processlogin', { UserID: id, UserPass: 'lagaslas-9' })
    const { user, token } = (await logInByCall()).data
    await post(
      '/updateuserdetails',
      {
        UserNum: user.UserNum,
        UserID: id,
        UserPass: 'lagaslas-9',
        UserEmail: `x${email}`,
        NameFirst: 'Ines',
        NameLast: 'Cruz',
      },
      { Authorization: `Bearer ${token}` },
    )

    await openHydrated(page, await readMailedLink(email, '/undoemail'))
    expect((await logInByCall()).data.user.UserEmail).toBe(`x${email}`)
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: 'Undo the change' }).click()
    await expectText(page, 'Your email address is back. We have mailed you a link to set a new password.')
    expect((await logInByCall()).data.status).toBe(2)

    await openHydrated(page, await readMailedLink(email, '/resetpassword'))
    await page.getByLabel('New Password', { exact: true }).fill('bundok-at-dagat')
    await page.getByLabel('Retype New Password').fill('bundok-at-dagat')
    await page.getByRole('button', { name: 'Set Password' }).click()
    await page.waitForURL('/login')
    await logIn(page, id, 'bundok-at-dagat')
    await page.waitForURL('/')

    await openHydrated(page, '/undoemail')
    await expectText(page, 'Nothing to undo')
  })
})
