import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { DESKTOP, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

/** A text that a new player types in less than this time waits for a moderator. */
const TYPING_MS = 3000

/** Lets the page's clock advance by the time that a player needs to type a text. */
const spendTypingTime = (page: Page) => page.clock.fastForward(TYPING_MS)

test('a guest reads boards, the gallery and a topic, and is led to the login to write', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openHydrated(page, '/forum')
  await expect(page.getByRole('heading', { name: 'Hot today' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Latest posts' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Gallery' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Gallery' })).toBeVisible()
  await page.getByRole('link', { name: 'Our whole club fits under one umbrella' }).click()
  await expect(page.getByRole('img', { name: /four students crowd/i })).toBeVisible()
  await page.getByRole('link', { name: 'Log in to reply' }).click()
  await expect(page).toHaveURL(/\/login\?next=%2Fforum%2F300%2F\d+$/)
})

test('a player opens a topic with a poll and a picture, votes, edits and deletes', async ({ page }) => {
  test.slow()
  await storeSession(page, 'maria')
  await page.clock.install()
  await page.setViewportSize(PHONE)
  await openHydrated(page, '/forum/700')
  await page.getByRole('button', { name: 'New topic' }).click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'New topic' })).toBeFocused()
  await page.getByRole('button', { name: 'New topic' }).click()
  await page.getByRole('button', { name: 'Post topic' }).click()
  await expect(page.getByText('Write something first.')).toBeVisible()
  await page.getByLabel('Title').fill('Mas malaking bag')
  await page.getByLabel('Text').fill('Puno na ang **bag** ko.')
  await page.locator('input[type=file]').setInputFiles({
    name: 'bag.png',
    mimeType: 'image/png',
    buffer: await readFile(fileURLToPath(new URL('../../web/public/art/favicon-32.png', import.meta.url))),
  })
  await expect(page.getByLabel('Text')).toHaveValue(/!\[bag\]\(\/files\/\w+\.webp\)/)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.locator('strong', { hasText: 'bag' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep writing' }).click()
  await page.getByRole('button', { name: 'Add a poll' }).click()
  await page.getByLabel('Question').fill('Ilang slot?')
  await page.getByLabel(/^Answers, one per line/).fill('Sampu\nDalawampu')
  await expectAccessible(page)
  await spendTypingTime(page)
  await page.getByRole('button', { name: 'Post topic' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mas malaking bag' })).toBeVisible()
  await page.getByLabel('Dalawampu').check()
  await page.getByRole('button', { name: 'Vote' }).click()
  await expect(page.getByRole('status').filter({ hasText: '1 player has voted.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change my vote' })).toBeFocused()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Text').fill('Punong-puno na ang bag ko.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'edited' }).click()
  await expect(page.getByRole('dialog').getByText('Puno na ang')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/forum\/700$/)
})

test('a player likes, quotes, reports, bookmarks a topic and drafts a reply until they log out', async ({ page }) => {
  test.slow()
  await storeSession(page, 'maria')
  await page.clock.install()
  await page.setViewportSize(DESKTOP)
  await test.step('a player likes, quotes, replies and reports', async () => {
    await openHydrated(page, '/forum/200')
    await page.getByRole('link', { name: 'Shaman: heal or hit in small parties?' }).click()
    const firstPost = page.getByRole('article').first()
    await firstPost.getByRole('button', { name: /Like/ }).click()
    await expect(firstPost.getByRole('button', { name: /Like/, pressed: true })).toBeVisible()
    await firstPost.getByRole('button', { name: 'Quote' }).click()
    const text = page.getByLabel('Text')
    const quoteRegion = page.getByRole('region', { name: 'Quoted in the reply' })
    await expect(quoteRegion.locator('blockquote').getByRole('link', { name: '#1' })).toBeVisible()
    await expect(text).toHaveValue('')
    await text.pressSequentially('Ako, palo muna.')
    await spendTypingTime(page)
    await page.getByRole('button', { name: 'Post reply' }).click()
    const myReply = page.getByRole('article').filter({ hasText: 'Ako, palo muna.' })
    await expect(myReply.locator('blockquote')).toBeVisible()
    await expect(page).toHaveURL(/#post-\d+$/)
    await expect(myReply).toBeFocused()
    await firstPost.getByRole('button', { name: 'Report' }).click()
    await page.getByLabel('What is wrong?').selectOption('other')
    await page.getByRole('dialog').getByRole('button', { name: 'Report' }).click()
    await expect(page.getByText('Thank you. A moderator will look at it.')).toBeVisible()
    await expectGoodScreen(page)
  })
  await test.step('a player bookmarks a topic and drafts a reply, which stays until they log out', async () => {
    await openHydrated(page, '/forum/200')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Brawler from 1 to 60/ })
      .click()
    await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Remove bookmark' })).toBeVisible()
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.getByLabel('Text').fill('Mamaya ko na tatapusin.')
    const countDrafts = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('DRAFT')).length)
    await expect.poll(countDrafts).toBe(1)

    await openHydrated(page, '/forum/bookmarks')
    await expectGoodScreen(page)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Brawler from 1 to 60/ })
      .click()
    await expect(page.getByText('You have begun a reply here.')).toBeVisible()
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await expect(page.getByLabel('Text')).toHaveValue('Mamaya ko na tatapusin.')

    await openHydrated(page, '/forum/bookmarks')
    await page.getByRole('button', { name: /^Remove the bookmark/ }).click()
    await expect(page.getByText('No bookmarks yet')).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await expect(page).toHaveURL(/\/login$/)
    expect(await countDrafts()).toBe(0)
  })
})

test('a posted reply deletes its draft, and long words cause no sideways scroll on a phone', async ({ page }) => {
  await test.step('deletes the draft of a reply when the reply is posted', async () => {
    const token = await storeSession(page, 'gm')
    const topicResponse = await page.request.post('/api/forum/topics', {
      headers: { Authorization: `Bearer ${token}` },
      data: { category: 200, title: 'Who brings the rice?', body: 'For Friday.' },
    })
    const { path } = await topicResponse.json()
    await openHydrated(page, path)
    const note = page.getByText('You have begun a reply here.')
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.getByLabel('Text').fill('I do.')
    await openHydrated(page, path)
    await expect(note).toBeVisible()
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await expect(page.getByLabel('Text')).toHaveValue('I do.')
    await page.getByRole('button', { name: 'Post reply' }).click()
    await expect(page.getByRole('main').getByText('I do.', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeVisible()
    await expect(note).toHaveCount(0)
  })
  await test.step('on a phone a word of 100 letters in a title causes no sideways scroll', async () => {
    const longWord = 'W'.repeat(100)
    const token = await storeSession(page, 'gm')
    const topicResponse = await page.request.post('/api/forum/topics', {
      headers: { Authorization: `Bearer ${token}` },
      data: { category: 200, title: `Try ${longWord}`, body: 'A title with one word of 100 letters.' },
    })
    expect(topicResponse.status(), await topicResponse.text()).toBe(200)
    const { path: topic } = await topicResponse.json()
    for (const path of [topic, '/forum/200', '/forum', '/admin/forum/topics']) {
      await page.goto(path)
      await expect(page.getByText(longWord).first()).toBeVisible()
      for (const width of [360, 320]) {
        await page.setViewportSize({ width, height: 780 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
      }
    }
  })
})
