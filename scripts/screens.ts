/** `npm run screens [part-of-an-address]`: saves every page at three widths, logged out and in, under screens/. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { ROOT } from './root.ts'
import { startSite } from './start-site.ts'
import { forEachAtOnce, listVisits, logIn, nameOf, openBrowser, takeScreens, WIDTHS } from './take-screens.ts'

const site = await startSite()
const browser = await openBrowser()
const session = await logIn(browser, site.origin)

async function printErrors(page: Page): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error') console.log(`${page.url()}: ${message.text()}`)
  })
}

const options = { origin: site.origin, session, prepare: printErrors }
for (const who of ['guest', 'player'])
  for (const width of WIDTHS) await mkdir(join(ROOT, 'screens', who, String(width)), { recursive: true })
await forEachAtOnce(listVisits(process.argv[2]), 2, async (visit) => {
  const screens = await takeScreens(browser, visit, WIDTHS, options)
  for (const [nth, width] of WIDTHS.entries()) {
    const screen = screens[nth]
    if (screen === undefined) continue
    const { width: taken } = await sharp(screen).metadata()
    if (taken > width) console.log(`${visit.who} ${width} ${visit.address}: ${taken - width} px too wide`)
    await writeFile(join(ROOT, 'screens', visit.who, String(width), `${nameOf(visit.address)}.png`), screen)
  }
})
await browser.close()
await site.stop()
console.log('See screens/.')
