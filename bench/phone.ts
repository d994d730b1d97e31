import { type Browser, chromium, type Page } from '@playwright/test'
import { ensureBrowser } from '#scripts/debian-packages.ts'

/** The system's Chromium, as the page tests use it. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureBrowser() })
}

/** A page on a phone's screen of 360×780 that has seen nothing yet: its cache and storage are its own. */
export async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 780 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  return context.newPage()
}
