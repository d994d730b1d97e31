import { expect, test } from '@playwright/test'
import { openDesk } from './desk.ts'
import { openHydrated } from './hydrated.ts'

/** A page of each kind that players share (SHARE-3). */
const SHARED_PATHS = [
  '/news?topic=46',
  '/events/1',
  '/wars',
  '/club/1',
  '/character/1',
  '/rankings/tournament/2',
  '/rankings/season',
]

test('shares the canonical address of a page with the browser’s own dialog', async ({ page }) => {
  await page.addInitScript(() => {
    const sharedData: unknown[] = []
    Object.assign(window, { shared: sharedData })
    Object.assign(Navigator.prototype, { share: async (data: unknown) => void sharedData.push(data) })
  })
  for (const path of SHARED_PATHS) {
    await openHydrated(page, path === '/character/1' ? '/character/1?with=2' : path)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const url = await page.locator('link[rel="canonical"]').getAttribute('href')
    const title = await page.getByRole('heading', { level: 1 }).innerText()
    await expect.poll(() => page.evaluate('window.shared.length')).toBe(1)
    const [sharedData] = (await page.evaluate('window.shared')) as { title: string; url: string }[]
    expect(sharedData?.url).toBe(url)
    expect(sharedData?.title.toLowerCase()).toBe(title.toLowerCase())
  }
})

test('without the browser’s share dialog, offers links and copying, and calls no other site', async ({ page }) => {
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') foreignRequests.push(request.url())
  })
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await page.setViewportSize({ width: 360, height: 800 })
  await openHydrated(page, '/club/1')
  const button = page.getByRole('button', { name: 'Share', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share' })
  const url = (await page.locator('link[rel="canonical"]').getAttribute('href')) ?? ''
  await expect(dialog.getByText(url)).toBeVisible()
  const encodedUrl = encodeURIComponent(url)
  await expect(dialog.getByRole('link', { name: /^Facebook/ })).toHaveAttribute('href', new RegExp(`u=${encodedUrl}$`))
  await expect(dialog.getByRole('link', { name: /^Messenger/ })).toHaveAttribute(
    'href',
    new RegExp(`link=${encodedUrl}$`),
  )
  await expect(dialog.getByRole('button', { name: 'Copy the link' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
  expect(foreignRequests).toEqual([])
})

test('an operator gets the text, the pictures and the short link of a post about an event', async ({ page }) => {
  await openDesk(page, '/events/1', 'Club war')
  await page.getByRole('button', { name: 'Post it' }).click()
  const dialog = page.getByRole('dialog', { name: 'Post it' })
  await expect(dialog.getByRole('button', { name: 'Copy the text' })).toBeVisible()
  for (const size of ['1200×630', '1080×1080'])
    await expect(dialog.getByRole('link', { name: `Download ${size}` })).toHaveAttribute(
      'download',
      /^event-1-\d+x\d+\.jpg$/,
    )
  await expect
    .poll(() =>
      dialog.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalHeight)),
    )
    .toEqual([630, 1080])
  const link = (await dialog.locator('pre').last().innerText()).trim()
  const answer = await page.request.get(link, { maxRedirects: 0 })
  expect(answer.status()).toBe(302)
  expect(answer.headers().location).toMatch(/\/events\/1$/)
})
