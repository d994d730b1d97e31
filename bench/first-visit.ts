/**
 * What a first visit of `/` takes over the wire on a phone's screen, compressed, until all is
 * quiet and eight seconds on, so that what is loaded lazily and the rotator's next slides count. The
 * goals are the figures of the site before its pages moved to the manifest: 26.3, 129.4 and 255.6 kB.
 *
 * `node bench/first-visit.ts`
 */
import { startSite } from '#scripts/start-site.ts'
import { openBrowser, openPhone } from './phone.ts'
import { printFigure } from './side-by-side.ts'

const STAY_MS = 8000

const site = await startSite()
const browser = await openBrowser()
const page = await openPhone(browser)
const wire = await page.context().newCDPSession(page)

type Loaded = { url: string; type: string; bytes: number }
const requests = new Map<string, Loaded>()

wire.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
  requests.set(requestId, { url: request.url.replace(site.origin, ''), type: type ?? 'Other', bytes: 0 })
})
wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
  const loaded = requests.get(requestId)
  if (loaded !== undefined) loaded.bytes = encodedDataLength
})
await wire.send('Network.enable')
await page.goto(`${site.origin}/`, { waitUntil: 'networkidle' })
await page.waitForTimeout(STAY_MS)
await browser.close()
await site.stop()

const all = [...requests.values()].filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes)
for (const { url, type, bytes } of all) console.log(`${String(bytes).padStart(8)} ${type.padEnd(12)} ${url}`)

const kilobytesOf = (...types: string[]) =>
  all.filter(({ type }) => types.length === 0 || types.includes(type)).reduce((sum, { bytes }) => sum + bytes / 1000, 0)

printFigure('first visit of /, HTML + CSS', 'kB', kilobytesOf('Document', 'Stylesheet'), { atMost: 26.3 })
printFigure('first visit of /, scripts', 'kB', kilobytesOf('Script'), { atMost: 129.4 })
printFigure('first visit of /, everything', 'kB', kilobytesOf(), { atMost: 255.6 })
