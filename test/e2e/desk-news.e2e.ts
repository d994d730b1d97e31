import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'

const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible()
const drawPicture = async () => ({
  name: 'night.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 900, height: 700, channels: 3, background: '#148' } })
    .png()
    .toBuffer(),
})

test('a first news item with a picture is written, previewed and published, with keys alone in the text', async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/news', 'News')
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Write news' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New news item' })).toBeVisible()
  await page.getByLabel('Subject').fill('Lights on the rooftop')
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.click()
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Tonight')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(' the lamps go on.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- bring a friend')
  await page.getByRole('button', { name: 'Link' }).click()
  const link = page.getByRole('dialog', { name: 'Link' })
  for (const [typed, words] of [
    ['the download', 'Invalid URL'],
    ['gm@', 'Invalid email address'],
  ] as const) {
    await link.getByLabel('Link to').fill(typed)
    await page.keyboard.press('Enter')
    await expect(link.getByText(words)).toBeVisible()
  }
  await link.getByLabel('Link to').fill('/download')
  await page.keyboard.press('Enter')
  await page.getByLabel('Picture of the item').setInputFiles(await drawPicture())
  await page.getByRole('button', { name: 'Use this part' }).click()
  await expect(page.getByAltText('Picture of the item now')).toBeVisible()
  await saved(page)
  await expectAccessible(page)
  const [preview] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Preview' }).click(),
  ])
  await expect(preview.getByRole('heading', { name: 'Lights on the rooftop' })).toBeVisible()
  await expect(preview.getByText('Readers do not see this.')).toBeVisible()
  await preview.close()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Readers see this text.')).toBeVisible()
  await page.getByRole('link', { name: 'View on the site' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Lights on the rooftop' })).toBeVisible()
  await expect(main.locator('strong', { hasText: 'Tonight' })).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'bring a friend' })).toBeVisible()
})

test('on a phone an item is scheduled and taken back; two who write lose nothing', async ({ page, context }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/news', 'News')
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Write news' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Give it a subject.').first()).toBeVisible()
  await page.getByLabel('Subject').fill('Typhoon drill')
  await expect(page.getByText('Give it a subject.')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Text' }).fill('Everybody under the tables.')
  await saved(page)

  const other = await context.newPage()
  await openDesk(other, new URL(page.url()).pathname.slice('/admin'.length), 'Typhoon drill')
  await other.getByLabel('Subject').fill('Typhoon drill at nine')
  await saved(other)
  await other.close()
  await page.getByLabel('Subject').fill('Typhoon drill at ten')
  const question = page.getByRole('dialog', { name: 'Someone else has edited this' })
  await expect(question).toBeVisible()
  await expectGoodScreen(page)
  await question.getByRole('button', { name: 'Keep my text' }).click()
  await saved(page)
  await expect(page.getByText('Typhoon drill at nine', { exact: true })).toBeVisible()
  await expectGoodScreen(page)

  await page.getByLabel('Appears').fill('2099-01-01T08:00')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Scheduled', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unschedule' }).click()
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Trash' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeVisible()
})

test('the address of no news item has no screen', async ({ page }) => {
  await openDesk(page, '/news/new', 'There is no screen at this address')
})
