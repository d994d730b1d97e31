/**
 * Largest paint and layout shift on a slow phone: Chromium at 360×780 with its processor slowed
 * down four times, 1.6 Mbit/s down, 750 kbit/s up and 150 ms to the server; each visit the
 * first one, the figure the middle of five.
 *
 * `node bench/slow-phone.ts`
 */
import type { Browser } from '@playwright/test'
import { startSite } from '#scripts/start-site.ts'
import { openBrowser, openPhone } from './phone.ts'
import { median, printFigure } from './side-by-side.ts'

const VISITS = 5
const STAY_MS = 5000
const SLOW_NET = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

type Seen = { paint: number; shift: number; largest: string }

/** Runs in the page from its start: notes the largest paint so far and adds up the shifts nobody asked for. */
function watchPaints(): void {
  const seen: Seen = { paint: 0, shift: 0, largest: '' }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
      seen.paint = entry.startTime
      seen.largest = entry.element?.outerHTML.slice(0, 100) ?? ''
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

async function visit(browser: Browser, url: string): Promise<Seen> {
  const page = await openPhone(browser)
  const wire = await page.context().newCDPSession(page)
  await wire.send('Network.enable')
  await wire.send('Network.emulateNetworkConditions', SLOW_NET)
  await wire.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(watchPaints)
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(STAY_MS)
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  await page.context().close()
  return seen
}

const site = await startSite()
const browser = await openBrowser()
for (const address of ['/', '/rankings', '/news']) {
  const visits: Seen[] = []
  for (let round = 0; round < VISITS; round++) visits.push(await visit(browser, site.origin + address))
  const seconds = median(visits.map(({ paint }) => paint)) / 1000
  printFigure(`slow phone, largest paint of ${address}`, 's', seconds, { atMost: 2 })
  const shift = Math.max(...visits.map((seen) => seen.shift))
  printFigure(`slow phone, layout shift of ${address}`, '(worst visit)', shift, { atMost: 0.004 })
  console.log(`  the largest paint was ${visits.at(-1)?.largest}`)
}
await browser.close()
await site.stop()
