import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'

test.use({ serviceWorkers: 'allow' })

test('the browser can install the site before it has a service worker', async ({ baseURL, launchOptions }) => {
  // Browsers install nothing from a private window, which Playwright's default context is.
  const profile = await mkdtemp(join(tmpdir(), 'tambayan-profile-'))
  const context = await chromium.launchPersistentContext(profile, launchOptions)
  try {
    const page = await context.newPage()
    await openHydrated(page, `${baseURL}/`)
    const cdpSession = await context.newCDPSession(page)
    const { url, errors, data } = await cdpSession.send('Page.getAppManifest')
    expect([url, errors]).toEqual([`${baseURL}/manifest.webmanifest`, []])
    expect(JSON.parse(data ?? '').name).toBe('Tambayan Online')
    const { installabilityErrors } = await cdpSession.send('Page.getInstallabilityErrors')
    expect(installabilityErrors).toEqual([])
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
})
