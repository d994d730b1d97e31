import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type APIRequestContext, expect, type Locator, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { startSite } from '../../scripts/start-site.ts'
import { generateCode } from '../factor-helpers.ts'
import { PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'

const PASSWORD = 'tag-ulan-sa-baryo-1'

async function register(request: APIRequestContext, userId: string): Promise<void> {
  const answer = await request.post('/api/register', {
    data: {
      userId,
      userFirstName: 'Amihan',
      userLastName: 'Reyes',
      userEmail: `${userId}@example.ph`,
      userPassword: PASSWORD,
      userPasswordConfirm: PASSWORD,
      secretQuestion: 1,
      secretAnswer: 'adobo',
      gender: 'Female',
      country: 'PH',
      agreeTerms: true,
    },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Logs a player in, and returns a function that sends a request of this player. */
async function logInPlayer(request: APIRequestContext, userId: string) {
  const login = await request.post('/api/processlogin', { data: { UserID: userId, UserPass: PASSWORD } })
  const { token } = (await login.json()).data
  return async (path: string, body: { data: object } | { multipart: Record<string, string> }) => {
    const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': `first-day ${path}` }
    const answer = await request.post(path, { headers, ...body })
    expect(answer.status(), await answer.text()).toBe(200)
  }
}

/** Moves to a field with the Tab key and types into it. */
async function typeInto(page: Page, field: Locator, keys: string): Promise<void> {
  const isFocused = () => field.evaluate((element) => element === document.activeElement)
  for (let press = 0; press < 6 && !(await isFocused()); press++) await page.keyboard.press('Tab')
  await expect(field).toBeFocused()
  await page.keyboard.type(keys)
}

/** Creates the first owner with the link printed at the start, using only the keyboard. */
async function makeFirstOwner(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Make the first owner' })).toBeVisible()
  await expectAccessible(page)
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  await typeInto(page, page.getByLabel('User ID'), 'amihan')
  await typeInto(page, page.getByLabel('Email'), 'amihan@example.ph')
  await typeInto(page, page.getByLabel('Password', { exact: true }), PASSWORD)
  await typeInto(page, page.getByLabel('Confirm Password'), PASSWORD)
  await typeInto(page, page.getByLabel('Secret Question'), 'Hometown')
  await typeInto(page, page.getByLabel('Secret Answer'), 'Vigan')
  await typeInto(page, page.getByLabel('Code from the app'), '000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is not correct.', { exact: false })).toBeVisible()
  await expect(page.getByLabel('Code from the app')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(generateCode(secret, new Date()))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  await expectGoodScreen(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  const doneButton = dialog.getByRole('button', { name: 'I have saved them' })
  for (let press = 0; press < 6 && !(await doneButton.evaluate((button) => button === document.activeElement)); press++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/admin')
}

async function writeNews(page: Page): Promise<void> {
  const picture = sharp({ create: { width: 900, height: 700, channels: 3, background: '#148' } })
  await page.goto('/admin/news')
  await page.getByRole('button', { name: 'Write news' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'New news item' })).toBeVisible()
  await page.getByLabel('Subject').fill('We are open')
  await page.getByRole('textbox', { name: 'Text' }).fill('Come and play tonight.')
  const file = { name: 'open.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() }
  await page.getByLabel('Picture of the item').setInputFiles(file)
  await page.getByRole('button', { name: 'Use this part' }).click()
  await expect(page.getByAltText('Picture of the item now')).toBeVisible()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Readers see this text.')).toBeVisible()
}

async function sellAnItem(page: Page): Promise<void> {
  await page.goto('/admin/items/new')
  await page.getByRole('link', { name: 'Create a category first' }).click()
  await page.getByRole('button', { name: 'Add a category' }).click()
  await page.getByLabel('Name').fill('Food')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('0 items')).toBeVisible()
  await page.getByRole('link', { name: 'Add an item' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Halo-halo')
  await page.getByLabel('Price', { exact: true }).fill('60')
  await page.getByLabel('Description').fill('Cold and sweet.')
  await page.getByRole('button', { name: 'Add the item' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Halo-halo' })).toBeVisible()
}

/** @returns the first of the codes */
async function makeVouchers(page: Page): Promise<string> {
  await page.goto('/admin/vouchers/streamers')
  await page.getByRole('button', { name: 'Add a streamer' }).first().click()
  await page.getByLabel('Streamer’s name').fill('Diwata Plays')
  await page.getByLabel('Referral code').fill('DIWATA')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.goto('/admin/vouchers/new')
  await page.getByLabel('Name').fill('Opening')
  await page.getByLabel('How many codes').fill('3')
  await page.getByLabel('R-Coin each').fill('100')
  await page.getByLabel('Streamer').selectOption('DIWATA')
  await page.getByRole('button', { name: 'Create the codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'The codes of Opening' })
  const [code = ''] = (await dialog.locator('pre').innerText()).split('\n')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save as a file' }).click()
  await download
  await dialog.getByRole('button', { name: 'Done' }).click()
  return code
}

/** Opens the purchases, which are closed in a new shop. Today reports this and links to the setting. */
async function openPurchases(page: Page): Promise<void> {
  await page.goto('/itemshop')
  await expect(page.getByRole('button', { name: 'Buy now: Halo-halo' })).toBeDisabled()
  await expect(page.getByText('Purchases are closed for now.')).toBeVisible()
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Purchases are closed' }).click()
  await page.getByLabel('Purchases are open').check()
  await page.getByRole('form', { name: 'Shop' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Purchases are open. Players can buy now.')).toBeVisible()
}

async function refundTheOrder(page: Page): Promise<void> {
  await page.goto('/admin/orders')
  await page.getByRole('list', { name: 'Orders' }).locator('a[data-row][href^="/admin/orders/"]').first().click()
  await page
    .getByRole('button', { name: /^Refund/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Bought by mistake')
  await dialog.getByRole('button', { name: /^Refund/ }).click()
  await expect(page.getByText(/^Paid back /)).toBeVisible()
}

async function answerTheTicket(page: Page): Promise<void> {
  await page.goto('/admin/tickets')
  await page.getByRole('link', { name: 'Where is my item?' }).click()
  await page.getByLabel('Answer', { exact: true }).fill('Your R-Coin is back. Sorry!')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await expect(page.getByText('2 messages')).toBeVisible()
}

test('the owner of an empty site publishes news, an item and codes, refunds and answers', async ({ browser }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-first-day-'))
  const { origin, stop, printed } = await startSite({ env: { DEMO: '0', DATA_DIR: dataDir } })
  const context = await browser.newContext({ baseURL: origin, viewport: PHONE, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const { request } = context
  await register(request, 'diwata')
  const link = /http\S+\/admin\/first#\S+/.exec(printed())?.[0] ?? ''
  await makeFirstOwner(page, link)
  await page.goto('/')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible()
  await page.goto('/admin')
  await expect(page.getByText('0 of 11 done')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Enter the name' })).toHaveAttribute('href', '/admin/site/names')
  await expectGoodScreen(page)
  await page.goto('/admin/tickets')
  await expect(page.getByText('No ticket is waiting')).toBeVisible()
  await writeNews(page)
  await sellAnItem(page)
  const CouponCode = await makeVouchers(page)

  await openPurchases(page)

  const playerRequest = await logInPlayer(request, 'diwata')
  await playerRequest('/api/processCoupon', { data: { CouponCode, ReferralCode: 'DIWATA' } })
  await playerRequest('/api/buyitem?productnum=1', { data: {} })
  await playerRequest('/api/submitticket', {
    multipart: { category: 'payment', subject: 'Where is my item?', message: 'I bought halo-halo by mistake.' },
  })

  await page.goto('/admin')
  await expect(page.getByText('3 of 11 done')).toBeVisible()
  await page.getByRole('link', { name: 'Open purchases : done' }).focus()
  await page.getByRole('button', { name: 'Hide', exact: true }).press('Enter')
  await expect(page.getByText('First steps', { exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('3 of 11 done')).toBeVisible()

  await refundTheOrder(page)
  await answerTheTicket(page)
  await page.goto('/')
  const main = page.getByRole('main')
  await expect(main.getByText('We are open').first()).toBeVisible()
  await context.close()
  await stop()
  await rm(dataDir, { recursive: true, force: true })
})
