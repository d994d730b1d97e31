import { defineConfig } from '@playwright/test'
import { ensureBrowser } from './scripts/browser.ts'

// Test processes read this file again and inherit these variables and, by start-site.ts, the site's address.
process.env.E2E_BROWSER ??= ensureBrowser('shell')

/**
 * Chromium preloads two pages behind the address bar of each window, which cost more than the window itself. The rest
 * is Playwright's own list, because setting the flag replaces it.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Page tests run against the real site, started as for a new operator, with a separate data directory. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  timeout: 180_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  globalSetup: './test/e2e/start-site.ts',
  use: {
    baseURL: process.env.E2E_ORIGIN,
    viewport: { width: 1440, height: 900 },
    // Only the offline tests need a service worker. During other tests it would fetch pages, bypassing their routes.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.E2E_BROWSER,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
      ],
    },
    trace: 'on-first-retry',
  },
})
