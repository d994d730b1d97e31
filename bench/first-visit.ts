/**
 * What a first visit takes over the wire on a phone's screen, headers and bodies, compressed, until five seconds after the
 * page has loaded, so that what is loaded lazily and the rotator's next slide count: of `/` the bytes and the number of
 * requests, of `/itemshop` the requests.
 *
 * `node bench/first-visit.ts`
 */
import type { Browser } from '@playwright/test'
import { startSite } from '#scripts/start-site.ts'
import { openBrowser, openPhone } from './phone.ts'
import { printFigure } from './side-by-side.ts'

const STAY_MS = 5000

type Loaded = { url: string; type: string; bytes: number }

/** Opens an address with an empty cache and lists what was fetched, the largest first. */
async function visit(browser: Browser, origin: string, path: string): Promise<Loaded[]> {
  const page = await openPhone(browser)
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
const browser = await openBrowser()
const home = await visit(browser, site.origin, '/')
const shop = await visit(browser, site.origin, '/itemshop')
await browser.close()
await site.stop()

for (const { url, type, bytes } of home) console.log(`${String(bytes).padStart(8)} ${type.padEnd(12)} ${url}`)

const kilobytesOf = (...types: string[]) =>
  home
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .reduce((sum, { bytes }) => sum + bytes / 1000, 0)

printFigure('first visit of /, HTML + CSS', 'kB', kilobytesOf('Document', 'Stylesheet'), { atMost: 26.3 })
printFigure('first visit of /, scripts', 'kB', kilobytesOf('Script'), { atMost: 110 })
printFigure('first visit of /, everything', 'kB', kilobytesOf(), { atMost: 205 })
printFigure('first visit of /', 'requests', home.length, { atMost: 18 })
printFigure('first visit of /itemshop', 'requests', shop.length, { atMost: 24 })
