import { expect, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

/** Pages that can be shorter than the side panel for a new player. None depends on today's date. */
const SHORT_PATHS = [
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
  // A week without events, and one with only the weekly event.
  '/events?day=2020-01-01',
  '/events?day=2040-01-04',
  '/daily',
  '/vote',
  '/invite',
]

test('short pages leave at most 400 px empty on a desktop (SHELL-14)', async ({ page }) => {
  test.slow()
  await page.setViewportSize({ width: 1440, height: 900 })
  await storeSession(page, 'maria')
  for (const path of SHORT_PATHS) {
    await openHydrated(page, path)
    const measureEmptySpace = () =>
      page.evaluate(() => {
        const measureBottom = (element: Element) => element.getBoundingClientRect().bottom
        const content = [...document.querySelectorAll('main > :not([data-head])')].map(measureBottom)
        const column = [...document.querySelectorAll('aside > *')].map(measureBottom)
        return Math.round(Math.max(...column) - Math.max(...content))
      })
    await expect.poll(measureEmptySpace, { message: path }).toBeLessThanOrEqual(400)
  }
})
