import { expect, test } from '@playwright/test'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

const PHONE = { width: 360, height: 800 }

test('the daily reward’s row shows the whole reason for no reward at the reserved height', async ({ page }) => {
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
