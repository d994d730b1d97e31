/**
 * Measures a first visit on a phone's screen: headers and bodies, compressed, until five seconds after the page has
 * loaded, which includes lazily loaded parts and the rotator's next slide.
 *
 * `node bench/first-visit.ts`
 */
import { type Browser, chromium } from '@playwright/test'
import { ensureBrowser } from '#scripts/browser.ts'
import { startSite } from '#scripts/start-site.ts'
import { printFigure } from './side-by-side.ts'

const STAY_MS = 5000

type Loaded = { url: string; type: string; bytes: number }

/** Opens an address with an empty cache and lists the downloaded files, the largest first. */
async function visit(browser: Browser, origin: string, path: string): Promise<Loaded[]> {
  const phone = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
  const page = await browser.newPage(phone)
  const wire = await page.context().newCDPSession(page)
  const requests = new Map<string, Loaded>()
  wire.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (request.url.startsWith(origin))
      requests.set(requestId, { url: request.url.replace(origin, ''), type: type ?? 'Other', bytes: 0 })
  })
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const loaded = requests.get(requestId)
    if (loaded !== undefined) loaded.bytes = encodedDataLength
  })
  await wire.send('Network.enable')
  await page.goto(origin + path, { waitUntil: 'load' })
  await page.waitForTimeout(STAY_MS)
  await page.context().close()
  return [...requests.values()].sort((a, b) => b.bytes - a.bytes)
}

const site = await startSite()
const browser = await chromium.launch({ executablePath: ensureBrowser() })
const home = await visit(browser, site.origin, '/')
await browser.close()
await site.stop()

for (const { url, type, bytes } of home) console.log(`${String(bytes).padStart(8)} ${type.padEnd(12)} ${url}`)

const bytes = home.reduce((sum, one) => sum + one.bytes, 0)
printFigure('first visit of /', 'kB', bytes / 1000, { atMost: 225 })
printFigure('first visit of /', 'requests', home.length, { atMost: 26 })
