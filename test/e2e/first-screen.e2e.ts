import { expect, type Page, test } from '@playwright/test'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

const PHONE = { width: 360, height: 800 }
const DESKTOP = { width: 1440, height: 900 }

/** A selector whose first `count` elements are completely visible on the first screen. */
type VisibleSelector = readonly [selector: string, count: number]

/**
 * The elements that a visitor sees without scrolling, by page and kind of visitor. On a phone the bottom bar covers the
 * rest.
 */
const VISIBLE_CASES: {
  path: string
  who: readonly ('guest' | 'player')[]
  phone: readonly VisibleSelector[]
  desktop: readonly VisibleSelector[]
}[] = [
  {
    path: '/itemshop',
    who: ['guest', 'player'],
    phone: [
      ['nav[aria-label=Categories]', 1],
      ['#shop-search', 1],
      ['ul[aria-label=Items] > li', 4],
      ['ul[aria-label=Items] button', 8],
    ],
    desktop: [
      ['ul[aria-label=Items] > li', 8],
      ['ul[aria-label=Items] button', 16],
    ],
  },
  {
    path: '/news',
    who: ['guest', 'player'],
    phone: [
      ['nav[aria-label=Boards] a', 3],
      ['[id] a[href*="topic="]', 3],
    ],
    desktop: [['[id] a[href*="topic="]', 3]],
  },
  { path: '/news?topic=46', who: ['guest', 'player'], phone: [['article p', 1]], desktop: [['article p', 1]] },
  { path: '/forum/100', who: ['guest', 'player'], phone: [['h3 a', 3]], desktop: [['h3 a', 4]] },
  { path: '/forum/200/8', who: ['guest', 'player'], phone: [['article p', 1]], desktop: [['article p', 1]] },
  {
    path: '/events',
    who: ['guest', 'player'],
    phone: [['a[href^="/events/"]', 1]],
    desktop: [['a[href^="/events/"]', 1]],
  },
  { path: '/mailbox', who: ['player'], phone: [['a[href*="letter="]', 3]], desktop: [['a[href*="letter="]', 3]] },
  {
    path: '/ticket',
    who: ['guest', 'player'],
    phone: [['form :is(input:not([type=hidden]), select)', 1]],
    desktop: [['form :is(input:not([type=hidden]), select)', 1]],
  },
  {
    path: '/login',
    who: ['guest'],
    phone: [
      ['form input', 2],
      ['form button[type=submit]', 1],
      ['form a[href="/findaccount"]', 1],
    ],
    desktop: [
      ['form input', 2],
      ['form button[type=submit]', 1],
      ['a[href="/register"]', 2],
    ],
  },
  { path: '/findaccount', who: ['guest'], phone: [['form:first-of-type input', 1]], desktop: [['form input', 3]] },
  { path: '/changepassword', who: ['player'], phone: [['form input', 3]], desktop: [['form input', 3]] },
  {
    path: '/offline',
    who: ['guest', 'player'],
    phone: [['button', 1]],
    desktop: [['button', 1]],
  },
  {
    path: '/resetpassword',
    who: ['guest'],
    phone: [['a[href="/findaccount"]', 1]],
    desktop: [['a[href="/findaccount"]', 1]],
  },
  ...['/nowhere', '/error'].map((path) => ({
    path,
    who: ['guest', 'player'] as const,
    phone: [['a[href="/"]', 1]] as const,
    desktop: [['a[href="/"]', 1]] as const,
  })),
  {
    path: '/character/1',
    who: ['guest', 'player'],
    phone: [
      ['h1', 1],
      ['[data-head] button', 1],
      ['section:has(> div > h2) li a', 5],
    ],
    desktop: [
      ['h1', 1],
      ['[data-head] button', 1],
      ['section:has(> div > h2) li a', 5],
    ],
  },
  {
    path: '/daily',
    who: ['guest', 'player'],
    // If another test has claimed today's reward, a text replaces the button.
    phone: [
      ['[data-surface=paper] :is(a, button, p[role=status])', 1],
      ['li[aria-current=date]', 1],
    ],
    desktop: [
      ['[data-surface=paper] :is(a, button, p[role=status])', 1],
      ['li[aria-current=date]', 1],
    ],
  },
  {
    path: '/user',
    who: ['player'],
    phone: [
      ['section[aria-labelledby=waiting] li', 3],
      ['section[aria-labelledby=own-characters] li', 2],
    ],
    desktop: [
      ['section[aria-labelledby=waiting] li', 3],
      ['section[aria-labelledby=own-characters] li', 3],
    ],
  },
  {
    path: '/',
    who: ['player'],
    phone: [
      ['[aria-roledescription=carousel]', 1],
      ['section[aria-labelledby=waiting] li', 3],
      ['a[href="/downloads"]', 1],
    ],
    desktop: [['section[aria-labelledby=waiting] li', 3]],
  },
  {
    path: '/',
    who: ['guest'],
    phone: [
      ['[aria-roledescription=carousel]', 1],
      ['a[href="/register"]', 1],
      ['a[href="/downloads"]', 1],
      ['a[data-school]', 3],
    ],
    desktop: [
      ['[aria-roledescription=carousel]', 1],
      ['a[href="/downloads"]', 1],
      ['a[data-school]', 3],
    ],
  },
  {
    path: '/itemshop/5',
    who: ['guest', 'player'],
    phone: [
      ['img[width="240"]', 1],
      ['div:has(> button) > button', 4],
      ['dl dd', 1],
    ],
    desktop: [
      ['img[width="240"]', 1],
      ['div:has(> button) > button', 4],
      ['dl dd', 2],
    ],
  },
  ...['/rankings', '/rankings/season', '/rankings/total'].map((path) => ({
    path,
    who: ['guest', 'player'] as const,
    phone: [
      ['nav[aria-label="Rankings of"]', 1],
      ['nav[aria-label=Rankings]', 1],
      ['#ranking label', 3],
      ['#ranking tbody tr', 5],
    ] as const,
    desktop: [
      ['nav[aria-label=School]', 1],
      ['nav[aria-label=Class]', 1],
      ['#ranking tbody tr', 8],
    ] as const,
  })),
  {
    path: '/rankings',
    who: ['player'],
    phone: [['section[aria-label="Your ranks"]', 1]],
    desktop: [['section[aria-label="Your ranks"]', 1]],
  },
  {
    path: '/rankings/club',
    who: ['guest', 'player'],
    phone: [['table tbody tr', 5]],
    desktop: [['table tbody tr', 8]],
  },
]

/** Returns the selectors whose elements are not completely visible on the first screen, as messages for the test. */
const findHiddenSelectors = (page: Page, visibleSelectors: readonly VisibleSelector[]) =>
  page.evaluate((visibleSelectors) => {
    const barBox = document.querySelector('[aria-label="Quick links"]')?.getBoundingClientRect()
    const end = barBox !== undefined && barBox.height > 0 ? barBox.top : innerHeight
    return visibleSelectors.flatMap(([selector, count]) => {
      const elementBoxes = [...document.querySelectorAll(`main ${selector}`)].map((element) =>
        element.getBoundingClientRect(),
      )
      const visibleBoxes = elementBoxes.filter(({ width, height }) => width > 1 && height > 1)
      const uncutBoxes = visibleBoxes
        .slice(0, count)
        .filter(({ top, bottom, left }) => top >= 0 && bottom <= end && left < innerWidth)
      return uncutBoxes.length === count
        ? []
        : [`${selector}: ${uncutBoxes.length} of ${count}, the last ends at ${visibleBoxes[count - 1]?.bottom}`]
    })
  }, visibleSelectors)

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

test('a refused login shows its reason in the card, and the whole form stays on the first screen', async ({
  browser,
}) => {
  const page = await browser.newPage({ viewport: PHONE })
  await openHydrated(page, '/login')
  const form = page.getByRole('main').locator('form')
  await form.getByLabel('User ID').fill('juan')
  await form.getByLabel('Password', { exact: true }).fill('wrong-one')
  await form.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(form.getByText('User ID or password is incorrect.')).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect(
    await findHiddenSelectors(page, [
      ['form input', 2],
      ['form button[type=submit]', 1],
      ['form a[href="/findaccount"]', 1],
    ]),
  ).toEqual([])
  await page.close()
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
