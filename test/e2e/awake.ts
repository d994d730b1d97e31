import type { Page } from '@playwright/test'

/**
 * Opens a page and waits until React has taken the document over: before that, a press on a link opens its address as a
 * document, and what waits for scripts does nothing yet. On a busy machine that can come seconds after the last request.
 */
export async function openAwake(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => window.early === undefined)
}
