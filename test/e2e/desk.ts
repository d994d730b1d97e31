import { expect, type Page } from '@playwright/test'
import { storeSession } from './log-in.ts'

/** The two sizes at which every screen is tested. */
export const PHONE = { width: 360, height: 780 }
export const DESKTOP = { width: 1440, height: 900 }

/**
 * Opens a screen of the desk as gm, who is an owner in the demo world, and waits for its heading. The login is recent,
 * so no call prompts for the password.
 */
export async function openDesk(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await storeSession(page, 'gm')
  await page.goto(`/admin${path}`)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}
