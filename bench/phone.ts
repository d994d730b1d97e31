import { type Browser, chromium, type Page } from '@playwright/test'
import { ensureBrowser } from '#scripts/debian-packages.ts'

/** The system's Chromium, as the page tests use it. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureBrowser() })
}

/** Opens a page on a phone's screen of 360×780 with an empty cache and storage. */
export async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 780 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  return context.newPage()
}
