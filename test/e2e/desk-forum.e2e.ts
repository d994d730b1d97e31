import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'

test('operators decide on held and reported posts, and moderate their authors and topics', async ({ page }) => {
  await test.step('on a phone an approval of a held post is undone, and the post is rejected with a reason', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/forum?state=open&kind=held', 'Forum')
    await expectGoodScreen(page)
    await page.getByRole('link', { name: /Hello po, bago lang ako/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Hello po, bago lang ako' })).toBeVisible()
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect(page.getByText('1 post approved.')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('1 case is open again, as before the decision.')).toBeVisible()
    await expect(page.getByText('Waiting for a decision')).toBeVisible()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('button', { name: 'Reject it' }).click()
    await expect(page.getByText('Please give a reason.')).toBeVisible()
    await page.getByLabel('Reason').fill('Please write in the topic for new players.')
    await page.getByRole('button', { name: 'Reject it' }).click()
    await expect(page.getByText('1 post rejected.')).toBeVisible()
  })
  await test.step('on a desktop the author of a reported post is silenced, and its topic is pinned', async () => {
    await page.setViewportSize(DESKTOP)
    await openDesk(page, '/forum?state=open&kind=report', 'Forum')
    await expectGoodScreen(page)
    await page.getByRole('link', { name: /Is 11% attack speed worth more/ }).click()
    await expect(page.getByText('I only asked a question.')).toBeVisible()
    await expect(page.getByText('Was silenced', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Silence the author' }).click()
    await page.getByLabel('Reason').fill('Again an insult.')
    await page.getByLabel('For', { exact: true }).selectOption('1 week')
    await page.getByRole('button', { name: /^Silence / }).click()
    await expect(page.getByText('Silenced', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Move, pin, close or delete' }).click()
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    await expect(page.getByText('1 topic pinned.')).toBeVisible()
    await page.getByRole('button', { name: 'Unpin' }).click()
    await expect(page.getByText('1 topic unpinned.')).toBeVisible()
    await page.getByRole('link', { name: 'In the forum' }).click()
    await page.getByRole('link', { name: 'Moderate post 1' }).click()
    await expect(page.getByRole('heading', { name: 'Decide' })).toBeVisible()
    for (const [path, heading] of [
      ['/forum/topics', 'Topics'],
      ['/forum/silences?state=on', 'Silences'],
      ['/forum/boards', 'Boards'],
      ['/forum/words', 'Watched words'],
    ] as const) {
      await page.goto(`/admin${path}`)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expectGoodScreen(page)
    }
  })
})
