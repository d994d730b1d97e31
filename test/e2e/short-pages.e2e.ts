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

/** Pages with a single form or notice, which have a scene below it. */
const SCENE_PATHS = ['/login', '/findaccount', '/resetpassword', '/offline', '/nowhere', '/error', '/changepassword']

test('a picture of the school fills a desktop below a single form or notice (SHELL-17)', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const path of SCENE_PATHS) {
    if (path === '/changepassword') await storeSession(page)
    await openHydrated(page, path)
    const scene = await page.evaluate(() => {
      const box = document.querySelector('main')?.parentElement
      if (!box) return undefined
      return { bottom: box.getBoundingClientRect().bottom, picture: getComputedStyle(box, '::before').backgroundImage }
    })
    expect.soft(scene?.picture, path).toContain('stage-home')
    expect.soft(scene?.bottom, path).toBeGreaterThanOrEqual(900)
  }
})

test('pages without entries leave at most 400 px empty on a desktop (SHELL-14)', async ({ page }) => {
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
