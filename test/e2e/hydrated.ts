import type { Page, Response } from '@playwright/test'

/** Opens a page and waits until it is hydrated. */
export async function openHydrated(page: Page, path: string): Promise<Response | null> {
  const answer = await page.goto(path)
  await waitForHydration(page)
  return answer
}

/**
 * Waits until React has hydrated the document. After that, a click on a link changes the page without a new document.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => window.early === undefined)
}
