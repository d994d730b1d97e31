import type { Page } from '@playwright/test'

/** A selector whose first `count` elements are completely visible on the first screen. */
export type VisibleSelector = readonly [selector: string, count: number]

/**
 * The elements that a visitor sees without scrolling, by page and kind of visitor. On a phone the bottom bar covers the
 * rest.
 */
export const VISIBLE_CASES: {
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
    path: '/rankings/season',
    who: ['player'],
    phone: [['section[aria-label="Your ranks"] a[href^="/character/"]', 1]],
    desktop: [['section[aria-label="Your ranks"] a[href^="/character/"]', 1]],
  },
  {
    path: '/rankings/club',
    who: ['guest', 'player'],
    phone: [['table tbody tr', 5]],
    desktop: [['table tbody tr', 8]],
  },
]

/** Returns the selectors whose elements are not completely visible on the first screen, as messages for the test. */
export const findHiddenSelectors = (page: Page, visibleSelectors: readonly VisibleSelector[]) =>
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
