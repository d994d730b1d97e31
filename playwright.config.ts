import { defineConfig } from '@playwright/test'

/** Page tests run against the real site, started as a newcomer would, on a data directory of its own. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  globalSetup: './test/e2e/start-site.ts',
  use: {
    baseURL: 'http://127.0.0.1:3911',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    trace: 'on-first-retry',
  },
})
