import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'

test('on a phone banners are edited, a movie gets captions, and maintenance is started and ended', async ({ page }) => {
  await test.step('on a phone a banner with a picture is added, moved, hidden and deleted', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/site', 'Site')
    await expectGoodScreen(page)
    await page.getByRole('link', { name: 'Add a banner' }).click()
    await page.getByRole('button', { name: 'Add it' }).click()
    await expect(page.getByText('Enter a headline.')).toBeVisible()
    await page.getByLabel('Headline', { exact: true }).fill('Rainy week')
    await page.getByLabel('Link', { exact: true }).fill('/news')
    await expect(page.getByRole('figure').getByText('Rainy week')).toBeVisible()
    const upload = (buffer: Buffer) =>
      page.getByLabel(/^Picture 1230/).setInputFiles({ name: 'rain.png', mimeType: 'image/png', buffer })
    const createPicture = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#148' } })
        .png()
        .toBuffer()
    await upload(await createPicture(20, 20))
    await expect(page.getByText('This part has only 20 × 7 pixels.')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await upload(await createPicture(1500, 520))
    await expect(page.getByText('This part has only')).toHaveCount(0)
    await page.getByRole('button', { name: 'Use this part' }).click()
    await expect(page.getByRole('img', { name: 'Picture now' })).toHaveAttribute('src', /^\/files\/[0-9a-f]{64}\.webp$/)
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Add it' }).click()
    const banners = page.getByRole('list', { name: 'Banners' }).getByRole('listitem')
    await expect(banners.first()).toContainText('Rainy week')
    await page.getByRole('button', { name: 'Move Rainy week down' }).click()
    await expect(banners.nth(1)).toContainText('Rainy week')
    await page.getByRole('link', { name: 'Rainy week' }).click()
    await page.getByLabel('Players see it').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(banners.nth(1)).toContainText('Hidden')
    await page.getByRole('link', { name: 'Rainy week' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await expect(page.getByRole('link', { name: 'Rainy week' })).toHaveCount(0)
  })
  await test.step('a movie gets captions in another language, which the movies page offers', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/site/movie', 'Site')
    await page.getByRole('list', { name: 'Movies' }).getByRole('link').first().click()
    const captions = page.getByRole('group', { name: 'Captions' })
    await captions.getByLabel('Caption file').setInputFiles({
      name: 'subtitles.srt',
      mimeType: 'text/plain',
      buffer: Buffer.from('1'),
    })
    await expect(captions.getByText('Choose a WebVTT caption file')).toBeVisible()
    await captions.getByLabel('Caption file').setInputFiles({
      name: 'ceb.vtt',
      mimeType: 'text/vtt',
      buffer: Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nMaayong buntag\n'),
    })
    await expect(captions.getByLabel('Language')).toHaveCount(3)
    await captions.getByLabel('Language').last().fill('Cebuano')
    await captions.getByLabel('Name players see').last().fill('Bisaya')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(captions.getByText('Enter a language such as en or fil.')).toBeVisible()
    await expectGoodScreen(page)
    await captions.getByLabel('Language').last().fill('ceb')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved.')).toBeVisible()
    await page.goto('/movies')
    await expect(page.locator('track[label="Bisaya"]')).toHaveAttribute('src', /^\/files\/[0-9a-f]{64}\.vtt$/)
  })
  await test.step('maintenance is started and ended on a phone', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/maintenance', 'Maintenance')
    await page.getByRole('button', { name: 'Start it now' }).click()
    await expect(page.getByText('Tell players what is going on.')).toBeVisible()
    await page.getByLabel('Message to players').fill('A larger disk.')
    await page.getByLabel('Can log in anyway').fill('juan, maria')
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Start it now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start it now' }).click()
    await expect(page.getByText('“A larger disk.”')).toBeVisible()
    await expectGoodScreen(page)
    await expect.poll(async () => (await page.request.get('/')).text()).toContain('A larger disk.')
    await page.getByRole('button', { name: 'End it now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End it now' }).click()
    await expect(page.getByText('No maintenance is planned.')).toBeVisible()
    await page.goto('/admin/settings?group=Accounts')
    await expect(page.getByLabel('Registration is open')).toBeChecked()
    await expectGoodScreen(page)
  })
})

/** Closes the announcement as a visitor, and expects that it stays closed on other pages. */
async function closeNotice(desk: Page): Promise<void> {
  const page = await desk.context().newPage()
  await openHydrated(page, '/forum')
  const notice = page.getByRole('link', { name: 'Club war on Saturday' })
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Close the notice' }).click()
  await expect(notice).toBeHidden()
  await openHydrated(page, '/news')
  await expect(notice).toBeHidden()
  await page.close()
}

test('an announcement appears on every page, and is undone in the history of the settings', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/site/names', 'Site')
  const form = page.getByRole('form', { name: 'Announcement' })
  await form.getByLabel('Link').fill('nowhere')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText(/^Enter a page of this site/)).toBeVisible()
  await form.getByLabel('Link').fill('/news')
  await form.getByLabel('Text').fill('Club war on Saturday')
  await expectGoodScreen(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect.poll(async () => (await page.request.get('/')).text()).toContain('Club war on Saturday')
  await closeNotice(page)
  // The versions of the settings load late; the confirmation waits for them.
  const { promise: settingsDelay, resolve: sendSettings } = Promise.withResolvers<void>()
  await page.route('**/api/admin/settings', async (route) => {
    await settingsDelay
    await route.continue()
  })
  await page.goto('/admin/settings/history')
  await page.getByRole('button', { name: 'Undo the change to Text' }).first().click()
  sendSettings()
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Undo it' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect.poll(async () => (await page.request.get('/')).text()).not.toContain('Club war on Saturday')
})
