import { expect, test } from '@playwright/test'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import { findHiddenSelectors, VISIBLE_CASES } from './first-screen.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

const PHONE = { width: 360, height: 800 }
const DESKTOP = { width: 1440, height: 900 }

for (const who of ['guest', 'player'] as const)
  test(`a ${who} sees on the first screen what the page is for`, async ({ browser }) => {
    test.slow()
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: PHONE })
    if (who === 'player') await storeSession(context)
    const page = await context.newPage()
    for (const { path, phone, desktop } of VISIBLE_CASES.filter((visibleCase) => visibleCase.who.includes(who)))
      await test.step(path, async () => {
        await openHydrated(page, path)
        await expect
          .soft(async () => expect(await findHiddenSelectors(page, phone), `${path} on a phone`).toEqual([]))
          .toPass({ timeout: 5000 })
        await page.setViewportSize(DESKTOP)
        await expect
          .soft(async () => expect(await findHiddenSelectors(page, desktop), `${path} on a desktop`).toEqual([]))
          .toPass({ timeout: 5000 })
        await page.setViewportSize(PHONE)
      })
    await context.close()
  })

/** Edits responses so that a letter, a reward and a delivery wait for the player. The HTML already has the event. */
const RESPONSE_EDITS: Record<string, (answer: Record<string, unknown>) => unknown> = {
  '/api/mailbox/unread': (answer) => ({ ...answer, unread: 2 }),
  '/api/daily/own': (answer) => ({ ...answer, why_not: null }),
  '/api/shoppurchases': (answer) => ({
    ...answer,
    purchasehistory: [{ ...(answer.purchasehistory as object[])[0], deliveries: [{ state: 'queued', units: 1 }] }],
  }),
}

test('the account page and the home page reserve the space of a player’s data before it arrives', async ({ page }) => {
  await storeSession(page)
  await page.setViewportSize(PHONE)
  for (const pagePath of ['/user', '/']) {
    const answerArrival = Promise.withResolvers<void>()
    for (const [path, editResponse] of Object.entries(RESPONSE_EDITS))
      await page.route(path, async (route) => {
        const answer = await route.fetch()
        const json = editResponse(await answer.json())
        await answerArrival.promise
        await route.fulfill({ response: answer, json })
      })
    await openHydrated(page, pagePath)
    const rows = page.locator('section[aria-labelledby=waiting] ul')
    const reservedBox = await rows.boundingBox()
    expect(await rows.getByRole('listitem').count()).toBe(0)
    answerArrival.resolve()
    // One more row if an event is today.
    await expect.poll(() => rows.getByRole('listitem').count()).toBeGreaterThanOrEqual(pagePath === '/' ? 4 : 3)
    expect(await rows.boundingBox(), pagePath).toEqual(reservedBox)
    for (const row of await rows.getByRole('link').all())
      expect((await row.boundingBox())?.height, pagePath).toBeGreaterThanOrEqual(44)
    await page.unrouteAll({ behavior: 'wait' })
  }
})

test('the row of the daily reward shows the reason for no reward whole, at the reserved height', async ({ page }) => {
  await storeSession(page)
  await page.setViewportSize(PHONE)
  await page.route('/api/daily/own', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), why_not: REWARD_TEXTS.sharedPlace } })
  })
  await openHydrated(page, '/user')
  const rows = page.locator('section[aria-labelledby=waiting] ul')
  const reservedBox = await rows.boundingBox()
  const reason = rows.getByText('Too many accounts on your device or connection have had this reward today')
  await expect(reason).toBeVisible()
  expect(await reason.evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(true)
  expect((await rows.boundingBox())?.height).toBe(reservedBox?.height)
})
