import { type Browser, chromium, type Page } from '@playwright/test'
import { ensureBrowser } from '#scripts/browser.ts'

/** The browser that the page tests use. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureBrowser() })
}

/** Opens a page on a phone's screen of 360×800 with an empty cache and storage. */
export async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  return context.newPage()
}
