import { expect, test } from '@playwright/test'
import { storeSession } from './log-in.ts'

/** Pages whose content can be shorter than the column beside it, for a player who has nothing yet. */
const SHORT = [
  '/itemshop',
  '/capsuleshop',
  '/capsuleshop/1',
  '/shoppingcart',
  '/wishlist',
  '/shoppurchases',
  '/topup',
  '/topuphistory',
  '/mailbox',
  '/checkticket',
  '/forum',
  '/forum/bookmarks',
  '/rankings/tournament',
  '/events',
  '/daily',
  '/vote',
  '/invite',
]

test('no page of a player who has nothing yet is empty beside its side panel on a desktop (SHELL-14)', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize({ width: 1440, height: 900 })
  await storeSession(page, 'maria')
  for (const path of SHORT) {
    await page.goto(path, { waitUntil: 'networkidle' })
    const empty = () =>
      page.evaluate(() => {
        const bottomOf = (element: Element) => element.getBoundingClientRect().bottom
        const content = [...document.querySelectorAll('main > :not([data-head])')].map(bottomOf)
        const column = [...document.querySelectorAll('aside > *')].map(bottomOf)
        return Math.round(Math.max(...column) - Math.max(...content))
      })
    await expect.poll(empty, { message: path }).toBeLessThan(260)
  }
})
