import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { openHydrated, waitForHydration } from './hydrated.ts'
import { storeSession } from './log-in.ts'
import { readMailedText } from './mails.ts'

const findWriteForm = (page: Page) => page.locator('#write')
const findSubmitButton = (page: Page) => page.getByRole('button', { name: 'Submit Ticket' })
const findFilePicker = (page: Page) => page.locator('input[type=file]')
const readScreenshot = async (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await readFile(fileURLToPath(new URL('../../web/public/art/favicon-32.png', import.meta.url))),
})

async function fillTicket(page: Page, subject: string): Promise<void> {
  await page.getByText('A bug in the game or on the site').click()
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill('It stays shut.\nSee https://example.com/clip')
}

test('shows why files are refused, marks wrong fields, and preserves the typed text', async ({ page }) => {
  await openHydrated(page, '/ticket')
  await expect(page.getByRole('main').getByRole('link', { name: /Talk to an Agent/ })).toHaveAttribute(
    'target',
    '_blank',
  )
  await findSubmitButton(page).click()
  for (const text of ['Please choose what your ticket is about.', 'Subject is required.', 'Email is required.'])
    await expect(page.getByText(text)).toBeVisible()
  await expect(page.getByLabel('Account and login')).toBeFocused()
  await fillTicket(page, 'The gate is shut')
  await findFilePicker(page).setInputFiles([
    { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from('x') },
    { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) },
    { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<script>alert(1)</script>') },
  ])
  await expect(page.getByText('“clip.mp4” is not a PNG, JPEG or WebP picture.')).toBeVisible()
  await expect(page.getByText('“huge.png” is larger than 5 MB.')).toBeVisible()
  await findWriteForm(page).getByLabel('Email').fill('refused@example.com')
  await findSubmitButton(page).click()
  await expect(page.getByText('“fake.png” is not a PNG, JPEG or WebP picture.')).toBeVisible()
  await expect(findFilePicker(page)).toBeFocused()
  await expectGoodScreen(page)
  await page.reload()
  await waitForHydration(page)
  await expect(page.getByLabel('Subject')).toHaveValue('The gate is shut')
  await expect(page.getByLabel('Message')).toHaveValue('It stays shut.\nSee https://example.com/clip')
  await expect(page.getByLabel('A bug in the game or on the site')).toBeChecked()
})

test('a guest writes with a screenshot, opens the mailed link and replies', async ({ page, context }) => {
  test.slow()
  const email = 'panauhin@example.com'
  await openHydrated(page, '/ticket')
  await fillTicket(page, 'The gate <b>is shut</b>')
  await findFilePicker(page).setInputFiles([await readScreenshot('gate.png')])
  await findWriteForm(page).getByLabel('Email').fill(email)
  let sentRequests = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/submitticket')) sentRequests++
  })
  await findSubmitButton(page).dblclick()
  await expect(page.getByRole('heading', { name: 'We have received your ticket' })).toBeFocused()
  expect(sentRequests).toBe(1)
  const number = (await page.getByText(/^T-[A-Z2-9]{4}-[A-Z2-9]{4}$/).textContent()) ?? ''

  const link = await readMailedText(email, /http\S+\/checkticket#key=[\w-]+/)
  const mailedPage = await context.newPage()
  await openHydrated(mailedPage, link)
  await expect(mailedPage.getByRole('heading', { name: 'The gate <b>is shut</b>' })).toBeVisible()
  await expect(mailedPage.getByRole('log').getByRole('listitem').filter({ hasText: 'It stays shut.' })).toHaveCount(1)
  await expect(mailedPage.getByRole('link', { name: /example\.com\/clip/ })).toHaveAttribute('rel', /noopener/)
  await expectAccessible(mailedPage)
  await mailedPage.getByRole('button', { name: 'Screenshot 1 of 1, open large' }).click()
  await expect(mailedPage.getByRole('img', { name: 'Screenshot 1 of 1' })).toBeVisible()
  await mailedPage.keyboard.press('Escape')
  await mailedPage.getByLabel('Message').fill('It opened again. Salamat!')
  await mailedPage.getByRole('button', { name: 'Send reply' }).click()
  await expect(mailedPage.getByRole('log').getByText('It opened again. Salamat!')).toBeVisible()
  await expect(mailedPage.getByLabel('Message')).toHaveValue('')

  await openHydrated(page, '/checkticket')
  const form = page.locator('form').filter({ hasText: 'Ticket number' })
  await form.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText('Ticket number is required.')).toBeVisible()
  await form.getByLabel('Ticket number').fill(number.toLowerCase())
  await form.getByLabel('Email').fill('somebody@example.com')
  await form.getByRole('button', { name: 'Check' }).click()
  await expect(form.getByText('No ticket matches.')).toBeVisible()
  await form.getByLabel('Email').fill(email)
  await form.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('log').getByText('It opened again. Salamat!')).toBeVisible()
  await expect(page.getByText('Please open the link in our email to reply to this ticket.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send reply' })).toHaveCount(0)
})

test('a player writes a ticket about a character, gets an answer and closes the ticket', async ({ page }) => {
  await storeSession(page)
  await openHydrated(page, '/ticket')
  await fillTicket(page, 'R-Coin did not come')
  await expect(findWriteForm(page).getByLabel('Email')).toHaveValue('juan@example.com')
  await page.getByLabel('Character').selectOption({ index: 1 })
  await findSubmitButton(page).click()
  await expect(page.getByText('We have received your ticket')).toBeVisible()

  await openHydrated(page, '/checkticket')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'R-Coin did not come' })
  await expect(row).toContainText('Open')
  await row.getByRole('link').click()
  await expect(page).toHaveURL(/\?ticket=T-/)
  const number = new URL(page.url()).searchParams.get('ticket') ?? ''
  const { data } = await (
    await page.request.post('/api/processlogin', { data: { UserID: 'gm', UserPass: 'gm-demo-1' } })
  ).json()
  await page.request.post('/api/admin/tickets/answer', {
    data: { number, message: 'It is there now.', author: 'GM Habagat' },
    headers: { Authorization: `Bearer ${data.token}` },
  })
  await page.getByRole('button', { name: 'Refresh the conversation' }).click()
  await expect(page.getByRole('log')).toContainText('GM Habagat')
  await expect(
    page.getByText('We have answered. Reply if anything is still unresolved, or close the ticket.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Close ticket' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close ticket' }).click()
  await expect(page.getByText('This ticket is closed. A reply reopens it.').first()).toBeVisible()
  await page.goBack()
  await expect(row).toContainText('Closed')
})
