import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { connectGame } from '../../bridge/game/connect.ts'
import { ROOT } from '../../scripts/root.ts'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'
import { readMailedLink } from './mails.ts'

/** The demo world with a game, as `npm run demo:game` starts it: a site, the bridge and a program that plays. */
type Demo = { site: string; dataDir: string; readOutput: () => string; stop: () => Promise<unknown> }
let demo: Demo

const OLD_PASSWORD = 'lumang-pass'
/** User IDs of accounts that exist in the game. The first breaks the site's rules; the second registers on the site, too. */
const USER_IDS = { newcomer: 'bagong-salta', registered: 'Kalabaw' }

/** Starts a program of the project. @returns its process, a promise that resolves when it ends, and its output */
function startProgram(args: string[], dataDir: string) {
  const env = { HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: '', DATABASE_URL: '', DEMO: '1', RATE_LIMIT: 'off' }
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, LOG_LEVEL: 'warn', DATA_DIR: dataDir },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, ended: once(child, 'close'), readOutput: () => output }
}

async function startDemo(): Promise<Demo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-e2e-game-'))
  const { child, ended: processExit, readOutput } = startProgram(['scripts/demo-game.ts'], dataDir)
  const stop = async () => {
    child.kill('SIGTERM')
    const [code] = await processExit
    await rm(dataDir, { recursive: true, force: true })
    return code
  }
  await expect(() => {
    expect(child.exitCode, readOutput()).toBeNull()
    expect(readOutput()).toContain('is now connected to a game')
  }).toPass({ timeout: 150_000 })
  return { site: /is now connected to a game: (\S+)/.exec(readOutput())?.[1] ?? '', dataDir, readOutput, stop }
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  demo = await startDemo()
})

test.afterAll(async () => {
  expect(await demo.stop(), demo.readOutput()).toBe(0)
})

/** Opens a page of the demo's site as a first visit. */
async function openPage(browser: Browser, userId?: 'juan' | 'gm'): Promise<Page> {
  const context = await browser.newContext({ baseURL: demo.site })
  if (userId !== undefined) await storeSession(context, userId)
  return context.newPage()
}

async function expectGoodOnAllSizes(page: Page): Promise<void> {
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size)
    await expectGoodScreen(page)
  }
}

const readConfig = async () => JSON.parse(await readFile(join(demo.dataDir, 'demo-game/bridge.json'), 'utf8'))

test('juan’s purchase is delivered to the game, and picked up a few seconds later', async ({ browser }) => {
  const page = await openPage(browser, 'juan')
  await openHydrated(page, '/shoppurchases')
  const token = await page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))
  const { itemshopdata } = await (await page.request.get('/api/itemshop?category=0&page=1')).json()
  const buyResponse = await page.request.post(`/api/buyitem?productnum=${itemshopdata[0].ProductNum}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(buyResponse.status()).toBe(200)
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('main').getByText('Claimed').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
})

test('a service that juan buys is completed after the character has logged out', async ({ browser }) => {
  const page = await openPage(browser, 'juan')
  await page.goto('/itemshop?q=papers')
  await page.getByRole('link', { name: /Transfer papers/ }).click()
  await page.waitForURL(/\/itemshop\/\d+$/)
  const dialog = page.getByRole('dialog')
  // The characters arrive with the sync, once a minute.
  await expect(async () => {
    await page.reload()
    await page.getByRole('main').getByRole('button', { name: 'Buy now', exact: true }).first().click()
    await dialog.getByRole('radio', { name: /AlbularyoJuan/ }).check({ timeout: 3000 })
  }).toPass({ timeout: 120_000 })
  await dialog.locator('input[name="choice"]:enabled').first().check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('We change your character while it is logged out of the game.').first()).toBeVisible()
  const game = await connectGame('postgres', (await readConfig()).game.game)
  await page.goto('/shoppurchases')
  await expect(async () => {
    await game.run(`update ChaInfo set ChaOnline = 0 where ChaName = 'AlbularyoJuan'`)
    await page.reload()
    await expect(page.getByRole('main').getByText('Done').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 60_000 })
  await game.close()
})

test('Server Information shows the players online; the Game page also shows the sync', async ({ browser }) => {
  const page = await openPage(browser)
  await expect(async () => {
    await page.goto('/serverinfo')
    await expect(page.getByText('in the game now')).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 60_000 })
  await expect(page.getByRole('figure', { name: /^The last 24 hours/ }).getByRole('row')).toHaveCount(48)
  await expectGoodOnAllSizes(page)

  const desk = await openPage(browser, 'gm')
  await openDesk(desk, '/game', 'Game')
  const characters = desk.locator('section', { hasText: 'Characters of the game' })
  await expect(characters.getByText(/^\d+, shown without an emblem$/)).toBeVisible()
  await expect(characters.getByText(/of blocked accounts/)).toBeVisible()
  await expect(desk.getByRole('figure', { name: /^The last 24 hours/ })).toBeVisible()
  await expectGoodOnAllSizes(desk)
  await desk.getByRole('main').getByRole('link', { name: 'Account import' }).click()
  await expect(desk.getByRole('heading', { level: 1, name: 'Account import' })).toBeVisible()
})

test('the owner opens the import, and the bridge moves players in', async ({ browser }) => {
  const page = await openPage(browser, 'gm')
  await openDesk(page, '/account-import', 'Account import')
  await page.getByRole('button', { name: 'Open it for 4 hours…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Our players come over')
  await expectGoodScreen(page)
  await dialog.getByRole('button', { name: 'Open it for 4 hours' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/opened by gm/)).toBeVisible()

  const game = await connectGame('postgres', (await readConfig()).game.user)
  const passwordHash = createHash('md5').update(OLD_PASSWORD).digest('hex').toUpperCase().slice(0, 19)
  for (const id of Object.values(USER_IDS))
    await game.run(
      'insert into UserInfo (UserID, UserName, UserPass, UserPoint, CreateDate) values (:id, :id, :pass, 700, now())',
      { id, pass: passwordHash },
    )
  await game.close()
  const registerResponse = await page.request.post('/api/register', {
    data: {
      userId: USER_IDS.registered,
      userPassword: 'bagong-pass',
      userPasswordConfirm: 'bagong-pass',
      userEmail: 'kalabaw@example.com',
      userFirstName: 'Kala',
      userLastName: 'Baw',
      secretQuestion: 1,
      secretAnswer: 'adobo',
      agreeTerms: true,
      country: '',
    },
  })
  expect(registerResponse.status(), await registerResponse.text()).toBe(200)
  const config = join(demo.dataDir, 'demo-game/bridge.json')
  const importRun = startProgram(['bridge/main.ts', 'import-accounts', '--config', config, '--apply'], demo.dataDir)
  await importRun.ended
  await page.reload()
  const balances = page.locator('section', { hasText: 'Balances of the game' })
  await expect(balances.getByText(/R-Coin in all/), importRun.readOutput()).toBeVisible()
  await expectGoodOnAllSizes(page)
  await page.getByRole('button', { name: /^Show \d+ more$/ }).click()
  await expect(page.getByText('Unmatched', { exact: true }).nth(10)).toBeVisible()

  // gm is the only operator, so no approval is needed.
  await balances.getByRole('button', { name: /^Take \d+ balances over…$/ }).click()
  await expect(dialog).toContainText(/\d R-Coin in all\. The bridge sets each balance to 0 in the game/)
  await expect(dialog).toContainText('If there is another operator, they have to approve this first.')
  await dialog.getByRole('textbox').fill('They are right')
  await dialog.getByRole('button', { name: 'Take them over' }).click()
  await expect(page.getByText(/^The bridge takes over \d+ balances of the game/)).toBeVisible()
})

test('a player of the game logs in with the old password and completes the account on a phone', async ({ browser }) => {
  const page = await openPage(browser)
  await page.setViewportSize(PHONE)
  await openHydrated(page, '/login')
  const main = page.getByRole('main')
  await main.getByLabel('User ID').fill(USER_IDS.newcomer)
  await main.getByLabel('Password', { exact: true }).fill(OLD_PASSWORD)
  await main.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('/claim')
  await expect(page.getByText(`“${USER_IDS.newcomer}” has characters or a length`)).toBeVisible()
  await expectGoodOnAllSizes(page)
  await page.setViewportSize(PHONE)
  await main.getByRole('button', { name: 'Complete my account' }).click()
  await expect(main.getByText('Email is required.')).toBeVisible()
  await main.getByLabel('User ID').fill('bagong_salta')
  await main.getByLabel('Email').fill('salta@example.com')
  await main.getByLabel('First Name').fill('Bago')
  await main.getByLabel('Last Name').fill('Salta')
  await main.getByLabel('Secret Question').selectOption({ index: 2 })
  await main.getByLabel('Secret Answer').fill('sinigang')
  await main.getByRole('button', { name: 'Complete my account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expectGoodScreen(page)
  const link = await readMailedLink('salta@example.com', '/verifyemail', demo.dataDir)
  const otherPage = await page.context().newPage()
  await otherPage.goto(link)
  await otherPage.getByRole('button', { name: 'Confirm my email address' }).click()
  // The page redirects to the login, which redirects a logged-in player to the home page.
  await otherPage.waitForURL(({ pathname }) => pathname === '/login' || pathname === '/')
  await expect(async () => {
    // The page may already have continued after reloading its data.
    if (new URL(page.url()).pathname === '/claim')
      await main.getByRole('button', { name: 'I have opened it' }).click({ timeout: 2000 })
    await page.waitForURL('/user', { timeout: 5000 })
  }).toPass({ timeout: 60_000 })
})

test('a player links the site account with the game account by the old game password', async ({ browser }) => {
  const page = await openPage(browser)
  await openHydrated(page, '/login?next=/user')
  await page.getByRole('main').getByLabel('User ID').fill(USER_IDS.registered)
  await page.getByRole('main').getByLabel('Password', { exact: true }).fill('bagong-pass')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('/user')
  const linkButton = page.getByRole('button', { name: 'Link my game account' })
  await expect(linkButton).toBeVisible()
  await expectGoodOnAllSizes(page)
  await page.getByLabel('Old game password').fill('not-it')
  await linkButton.click()
  await expect(page.getByText('This is not the old password of the game account.')).toBeVisible()
  await page.getByLabel('Old game password').fill(OLD_PASSWORD)
  await linkButton.click()
  await expect(linkButton).toBeHidden()
})
