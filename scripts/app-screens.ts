/**
 * `node scripts/app-screens.ts` takes screenshots of the demo world's home page, which browsers show before they
 * install the site. It saves them in web/public/screenshots/, which git tracks.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { ROOT } from './root.ts'
import { startSite } from './start-site.ts'
import { openBrowser } from './take-screens.ts'

const SCREENS = [
  { name: 'home-phone.webp', width: 360, height: 780 },
  { name: 'home-computer.webp', width: 1440, height: 900 },
]
const MAX_BYTES = 60_000

const site = await startSite()
const browser = await openBrowser()
for (const { name, width, height } of SCREENS) {
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' })
  await page.goto(site.origin, { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready)
  const screenshot = await page.screenshot({ animations: 'disabled' })
  const { picture, quality } = await compressScreenshot(screenshot)
  await writeFile(join(ROOT, 'web/public/screenshots', name), picture)
  console.log(`${name}: ${picture.length} bytes at quality ${quality}`)
  await page.close()
}
await browser.close()
await site.stop()

/**
 * Returns the best WebP that fits. The drawings' halftone makes it large, but hides the artifacts of compression.
 *
 * @throws when none fits
 */
async function compressScreenshot(screenshot: Buffer): Promise<{ picture: Buffer; quality: number }> {
  for (const quality of [80, 65, 50, 40, 30, 22]) {
    const picture = await sharp(screenshot).webp({ quality, effort: 6 }).toBuffer()
    if (picture.length <= MAX_BYTES) return { picture, quality }
  }
  throw new Error(`A screenshot does not fit into ${MAX_BYTES} bytes.`)
}
