import { type BrowserContext, expect, test } from '@playwright/test'
import { storeSession } from './log-in.ts'
import { MEMBER_ROUTES, ROUTES } from './routes.ts'

test.describe.configure({ mode: 'parallel' })

/** Opens pages on a phone whose reader has set text to 200 %. @returns those that scroll sideways, by how much */
async function findWidePages(context: BrowserContext, routes: [path: string, crumb: string][]): Promise<string[]> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 360, height: 780 })
  const browser = await context.newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  const wide: string[] = []
  for (const [path] of routes) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.locator('html')).toHaveCSS('font-size', '32px')
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (beyond > 0) wide.push(`${path} by ${beyond} px`)
  }
  await page.close()
  return wide
}

test('with text at 200 % no page scrolls sideways on a phone of 360 px', async ({ context }) => {
  test.slow()
  expect(await findWidePages(context, ROUTES)).toEqual([])
})

test('nor does a page of a player', async ({ context }) => {
  test.slow()
  await storeSession(context)
  expect(await findWidePages(context, MEMBER_ROUTES)).toEqual([])
})
