import { defineConfig } from '@playwright/test'
import { ensureBrowser } from './scripts/browser.ts'

// Test processes read this file again. They inherit E2E_BROWSER from here, and E2E_ORIGIN from test/e2e/start-site.ts.
process.env.E2E_BROWSER ??= ensureBrowser('shell')

/** Two pages that Chromium preloads behind the address bar of each window. They cost more than the window itself. */
const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** The list of Playwright 1.65.1 (`disabledFeatures` in its code), because setting the flag replaces it. */
const PLAYWRIGHT_FEATURES = [
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
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
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
        `--disable-features=${[...ADDRESS_BAR_FEATURES, ...PLAYWRIGHT_FEATURES].join(',')}`,
      ],
    },
    trace: 'on-first-retry',
  },
})
