import { expect, type Page, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'

const findPictures = (page: Page) => page.getByRole('list', { name: 'Pictures' }).getByRole('link')

/** Swipes over the middle of the screen. */
async function swipe(page: Page, deltaX: number) {
  const touch = await page.context().newCDPSession(page)
  const touchPointsAt = (x: number) => [{ x, y: 380 }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touchPointsAt(180) })
  for (const fraction of [0.3, 0.6, 1]) {
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: touchPointsAt(180 + deltaX * fraction),
    })
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('a gallery picture opens large; keys and buttons show others, also on a slow phone', async ({ page }) => {
  await test.step('a gallery picture opens large by click, keys and buttons show others, and the focus returns', async () => {
    await openHydrated(page, '/gallery')
    expect(await findPictures(page).count()).toBeGreaterThanOrEqual(10)
    const title = page.getByRole('dialog').getByRole('heading')
    await findPictures(page).nth(2).click()
    await expect(page).toHaveURL(/\/gallery\?picture=3$/)
    await expect(title).toHaveText('Covered Court, last minute of the war')
    await expect(page).toHaveTitle('Covered Court, last minute of the war | Tambayan Online')
    await page.keyboard.press('ArrowRight')
    await expect(title).toHaveText('Route 26, first trip of the day')
    await page.getByRole('link', { name: 'Next picture' }).click()
    await expect(page).toHaveURL(/picture=5$/)
    await page.keyboard.press('ArrowLeft')
    await expect(page).toHaveURL(/picture=4$/)
    const shownPicture = page.getByRole('dialog').getByRole('img', { name: 'jeepney' })
    await expect.poll(() => shownPicture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(400)
    expect(await shownPicture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/gallery-04-\d+\.avif$/)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveURL(/\/gallery$/)
    await expect(findPictures(page).nth(3)).toBeFocused()
  })
  await test.step('quick presses on a slow phone move on by as many pictures as presses', async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await openHydrated(page, '/gallery?picture=2')
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(/picture=5$/)
    for (let press = 0; press < 2; press++) await page.getByRole('link', { name: 'Previous picture' }).click()
    await page.keyboard.press('ArrowLeft')
    await expect(page).toHaveURL(/picture=2$/)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  })
})

test('on a phone an address opens a picture, a swipe the next one; unknown pictures are a 404', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await openHydrated(page, '/gallery?picture=8')
  const title = page.getByRole('dialog').getByRole('heading')
  await expect(title).toHaveText('Waiting for the rain to finish')
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', /gallery-08-share\.jpg/)
  await swipe(page, -140)
  await expect(title).toHaveText('One arrow, one moon')
  await swipe(page, 140)
  await expect(title).toHaveText('Waiting for the rain to finish')
  await page.getByRole('link', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect((await page.goto('/gallery?picture=999'))?.status()).toBe(404)
  await expect(page.getByText('no longer here')).toBeVisible()
  await expect(findPictures(page).first()).toBeVisible()
  await context.close()
})

test('a movie shows its poster, plays with captions, can seek, and keeps its aspect ratio', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await openHydrated(page, '/movies')
  const movie = page.locator('video').first()
  expect(await page.locator('video').count()).toBeGreaterThanOrEqual(2)
  expect(requests.filter((url) => /\.(webm|mp4)/.test(url))).toEqual([])
  expect((await page.request.get((await movie.getAttribute('poster')) ?? '')).status()).toBe(200)
  await expect(movie).not.toHaveAttribute('autoplay')
  for (const source of await page.locator('video source, video track[src^="/movies/"]').all()) {
    const answer = await page.request.get((await source.getAttribute('src')) ?? '', { headers: { Range: 'bytes=4-9' } })
    expect(answer.status()).toBe(206)
    expect((await answer.body()).length).toBe(6)
  }
  await movie.evaluate((video: HTMLVideoElement) => {
    video.muted = true
    return video.play()
  })
  await expect.poll(() => movie.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.4)
  const readCue = () =>
    movie.evaluate((video: HTMLVideoElement) => (video.textTracks[0]?.activeCues?.[0] as VTTCue)?.text)
  await expect.poll(readCue).toContain('Somebody always forgets the lights.')
  await movie.evaluate((video: HTMLVideoElement) => {
    video.currentTime = 13
  })
  await expect.poll(readCue).toContain('And then the roof')
  expect(requests.filter((url) => new URL(url).host !== new URL(page.url()).host)).toEqual([])
  // Movies and their posters keep their aspect ratio at every width.
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    for (const movie of await page.locator('video').all()) {
      const box = await movie.boundingBox()
      expect((box?.width ?? 0) / (box?.height ?? 1), `${width} px`).toBeCloseTo(960 / 540, 1)
      await expect(movie).toHaveCSS('object-fit', 'contain')
    }
  }
})

test('download links open in a new tab, copy their checksum and survive a failed refresh', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openHydrated(page, '/downloads')
  const downloadLinks = page.getByRole('list', { name: 'Download links' })
  const note = page.getByText('The specs are for one client. Multiple clients may lower performance.')
  await expect(note).toHaveCSS('color', 'rgb(255, 93, 77)')
  const [tab] = await Promise.all([context.waitForEvent('page'), downloadLinks.getByRole('link').first().click()])
  await tab.close()
  await downloadLinks.getByRole('button', { name: 'Copy SHA-256 of Full client', exact: true }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[0-9a-f]{64}$/)
  const nextRequest = page.waitForResponse(/getdownloadsall/)
  await page.getByRole('button', { name: 'Refresh download links' }).click()
  expect((await nextRequest).status()).toBe(200)
  await page.route('**/api/getdownloadsall', (route) => route.abort())
  await page.getByRole('button', { name: 'Refresh download links' }).click()
  await expect(downloadLinks.locator('a[target=_blank]')).toHaveCount(4)
})
