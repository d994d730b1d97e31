/**
 * `npm run screens:compare -- OTHER_CHECKOUT [part-of-an-address]` compares every page of this checkout, pixel by
 * pixel, with the same page of another checkout whose packages are installed.
 *
 * It prints the screens that differ and writes them to screens/diff/ as before, after and difference. It exits with 1
 * if a screen differs by more than TOLERANCE pixels.
 */
import { access, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'
import { findNode, ROOT } from './root.ts'
import { startSite } from './start-site.ts'
import {
  forEachAtOnce,
  listVisits,
  logIn,
  openBrowser,
  takeScreens,
  toFileName,
  type Visit,
  type VisitOptions,
  WIDTHS,
} from './take-screens.ts'

/** The maximum number of pixels that antialiasing changes between runs. */
const TOLERANCE = 8
const RETRIES = 2
const PAIRS_AT_ONCE = 2
const DIFF = join(ROOT, 'screens/diff')

/** The time on both sites and in the browser, a Friday evening in Manila. */
const NOW = Date.parse('2026-11-20T13:42:07.000Z')

const FIXED_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const Clock = Date
  globalThis.Date = class Date extends Clock {
    constructor(...args) { super(...(args.length === 0 ? [${NOW}] : args)) }
    static now() { return ${NOW} }
  }
`)}`

/**
 * Stops clocks and random values. Timers continue. `performance.now` stops too, because the clock in the header uses
 * it.
 */
async function stopTimeAndChance(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOW)
  await page.addInitScript(() => {
    performance.now = () => 0
    Math.random = () => 0.5
  })
}

type Pixels = { data: Buffer; width: number; height: number }

const readSize = async (png: Buffer) => sharp(png).metadata()

async function readPixels(png: Buffer, width: number, height: number): Promise<Pixels> {
  const pictureSize = await readSize(png)
  const data = await sharp(png)
    .ensureAlpha()
    .extend({ right: width - pictureSize.width, bottom: height - pictureSize.height, background: '#f0f' })
    .raw()
    .toBuffer()
  return { data, width, height }
}

/**
 * Returns the number of differing pixels, and a picture with both screens and the difference. A missing part counts as
 * different.
 */
async function comparePictures(before: Buffer, after: Buffer): Promise<{ pixels: number; picture: Buffer }> {
  const sizes = [await readSize(before), await readSize(after)]
  const width = Math.max(...sizes.map((size) => size.width))
  const height = Math.max(...sizes.map((size) => size.height))
  const [beforePixels, afterPixels] = [await readPixels(before, width, height), await readPixels(after, width, height)]
  const differencePixels = Buffer.alloc(beforePixels.data.length)
  const pixels = pixelmatch(beforePixels.data, afterPixels.data, differencePixels, width, height, { threshold: 0.05 })
  const columns = [beforePixels.data, afterPixels.data, differencePixels].map((input, nth) => ({
    input,
    raw: { width, height, channels: 4 as const },
    left: nth * width,
    top: 0,
  }))
  const canvas = sharp({ create: { width: width * 3, height, channels: 4, background: '#fff' } })
  return { pixels, picture: await canvas.composite(columns).png().toBuffer() }
}

const [folder, addressPart] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: npm run screens:compare -- OTHER_CHECKOUT [part-of-an-address]')
  process.exit(2)
}
const other = resolve(folder)
await access(findNode(other)).catch(() => {
  console.error(`${other} has no packages installed. Run npm ci there.`)
  process.exit(2)
})
const start = performance.now()
await rm(DIFF, { recursive: true, force: true })
await mkdir(DIFF, { recursive: true })
const nodeArgs = ['--import', FIXED_CLOCK]
const sites = await Promise.all([startSite({ checkout: other, nodeArgs }), startSite({ nodeArgs })])
const browser = await openBrowser()
const [before, after] = await Promise.all(
  sites.map(({ origin }) => logInAt(origin)) as [Promise<VisitOptions>, Promise<VisitOptions>],
)

type Difference = Visit & { width: number; pixels: number }
const differences: Difference[] = []

async function logInAt(origin: string): Promise<VisitOptions> {
  return { origin, session: await logIn(browser, origin), prepare: stopTimeAndChance }
}

/** Compares a page at some widths. Widths that differ are tried again, each with a new page load. */
async function compareVisit(visit: Visit, widths = WIDTHS, triesLeft = RETRIES): Promise<void> {
  const [beforeScreens, currentScreens] = await Promise.all([
    takeScreens(browser, visit, widths, before),
    takeScreens(browser, visit, widths, after),
  ])
  for (const [nth, width] of widths.entries()) {
    const pair = [beforeScreens[nth], currentScreens[nth]] as const
    if (pair[0] === undefined || pair[1] === undefined) throw new Error('A picture is missing.')
    if (pair[0].equals(pair[1])) continue
    const { pixels, picture } = await comparePictures(pair[0], pair[1])
    if (pixels <= TOLERANCE) continue
    if (triesLeft > 0) {
      await compareVisit(visit, [width], triesLeft - 1)
      continue
    }
    differences.push({ ...visit, width, pixels })
    await sharp(picture).toFile(join(DIFF, `${visit.who}-${width}-${toFileName(visit.address)}.png`))
  }
}

const visits = listVisits(addressPart)
await forEachAtOnce(visits, PAIRS_AT_ONCE, (visit) => compareVisit(visit))
await browser.close()
await Promise.all(sites.map((site) => site.stop()))

const seconds = Math.round((performance.now() - start) / 1000)
console.log(`${visits.length * WIDTHS.length} screens compared in ${seconds} s, ${differences.length} differ.`)
if (differences.length > 0) {
  console.log(`${'page'.padEnd(36)} width who    differing pixels`)
  for (const { address, width, who, pixels } of differences.sort((a, b) => b.pixels - a.pixels))
    console.log(`${address.padEnd(36)} ${String(width).padStart(5)} ${who.padEnd(6)} ${pixels}`)
  console.log('See screens/diff/.')
  process.exit(1)
}
