import { expect, type Page } from '@playwright/test'
import { storeSession } from './log-in.ts'

/** Longer than the pause in typing after which a draft is saved. */
const SAVE_DELAY_MS = 3000

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

/** Lets the pause in typing pass, after which a draft is saved. The page's clock must be installed. */
export const passSaveDelay = (page: Page) => page.clock.fastForward(SAVE_DELAY_MS)

/** Lets the pause in typing pass, and waits until the draft is saved. */
export async function expectDraftSaved(page: Page): Promise<void> {
  await passSaveDelay(page)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
}
