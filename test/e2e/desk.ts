import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { storeSession } from './log-in.ts'

/** The two sizes that every screen is walked at. */
export const PHONE = { width: 360, height: 780 }
export const DESKTOP = { width: 1440, height: 900 }

/**
 * Opens a screen of the desk as gm, who is an owner in the demo world, and waits for its heading. The login is fresh, so
 * no call asks for the password.
 */
export async function openDesk(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await storeSession(page, 'gm')
  await page.goto(`/admin${path}`)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}

/** Nothing that axe calls serious is on the screen, and nothing scrolls sideways. */
export async function expectGoodScreen(page: Page): Promise<void> {
  // A message that is still fading in would count as faint text.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag22aa'])
    // Nothing runs in the frame of a mail, so axe would wait in it for ever.
    .exclude('iframe[sandbox]')
    .analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}
