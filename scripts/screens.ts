/**
 * `npm run screens -- [part-of-an-address]` saves every page at three widths, logged out and logged in, in screens/.
 *
 * `--looks` does so in each theme that comes with the site, at two widths, and checks every page with axe.
 *
 * `--desk` does so with every page of the desk, light and dark, at three widths, and checks each with axe.
 *
 * Both exit with 1 after a finding or an error on a page.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { getTheme, publishTheme, startFromTheme } from '#contract/desk-theme.ts'
import { storeSession } from '#test/e2e/log-in.ts'
import { ROOT } from './root.ts'
import { startSite } from './start-site.ts'
import {
  forEachAtOnce,
  listVisits,
  logIn,
  openBrowser,
  takeAtWidths,
  takeScreens,
  toFileName,
  visitDesk,
  WIDTHS,
} from './take-screens.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { looks: { type: 'boolean' }, desk: { type: 'boolean' } },
})
const widths = values.looks ? [360, 1440] : WIDTHS
const site = await startSite()
const browser = await openBrowser()
const session = await logIn(browser, site.origin)
let findingCount = 0

const report = (line: string) => {
  findingCount++
  console.log(line)
}

async function printErrors(page: Page): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error' && !page.url().endsWith('/nowhere')) report(`${page.url()}: ${message.text()}`)
  })
}

/** Reports findings that axe rates as serious. */
async function printFindings(page: Page, name: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
    .setLegacyMode()
    // Nothing runs in the frame of a mail, so axe would wait for it forever.
    .exclude('iframe[sandbox]')
    .analyze()
  for (const { id, impact, nodes } of violations)
    if (impact === 'serious' || impact === 'critical')
      for (const { html, any } of nodes.slice(0, 4))
        report(`${name}: ${id}: ${any[0]?.message ?? ''} ${html.slice(0, 160)}`)
}

/** Saves every page into a folder of screens/. */
async function takeAll(folder: string): Promise<void> {
  await forEachAtOnce(listVisits(positionals[0]), 2, async (visit) => {
    const name = `${folder} ${visit.who} ${visit.address}`
    const options = {
      origin: site.origin,
      session,
      prepare: printErrors,
      ...(values.looks && { inspectPage: (page: Page) => printFindings(page, name) }),
    }
    // A page that fails to open must not prevent the pictures of others.
    const screenshots = await takeScreens(browser, visit, widths, options).catch((error: Error) => {
      report(`${name}: ${error.message.split('\n')[0]}`)
      return []
    })
    await save(join(folder, visit.who), visit.address, screenshots)
  })
}

/** Saves the pictures of a page, one per width, and reports those that are too wide. */
async function save(folder: string, address: string, screenshots: Buffer[]): Promise<void> {
  for (const [nth, width] of widths.entries()) {
    const screen = screenshots[nth]
    if (screen === undefined) continue
    const { width: screenWidth } = await sharp(screen).metadata()
    if (screenWidth > width) report(`${folder} ${address}, ${width} px: ${screenWidth - width} px too wide`)
    const widthFolder = join(ROOT, 'screens', folder, String(width))
    await mkdir(widthFolder, { recursive: true })
    await writeFile(join(widthFolder, `${toFileName(address)}.png`), screen)
  }
}

/** Saves every page of the desk in both schemes. */
async function takeDesk(): Promise<void> {
  const context = await browser.newContext({ baseURL: site.origin, reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  await storeSession(context, 'gm')
  const page = await context.newPage()
  await printErrors(page)
  await visitDesk(page, positionals[0] ?? '', async (address) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const folder = join('desk', colorScheme)
      await save(
        folder,
        address,
        await takeAtWidths(page, widths, (page) => printFindings(page, `${folder} ${address}`)),
      )
    }
  })
  await context.close()
}

/** Returns a function that calls the desk as gm. */
async function createDeskCall() {
  const send = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(`${site.origin}/api${path}`, {
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID(), ...headers },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { data } = await send('/processlogin', {}, { UserID: 'gm', UserPass: 'gm-demo-1' })
  return (path: string, body?: unknown) => send(path, { Authorization: `Bearer ${data.token}` }, body)
}

if (values.desk) await takeDesk()
else if (values.looks) {
  const callDesk = await createDeskCall()
  const { shipped } = await callDesk(getTheme.path)
  for (const { name } of shipped) {
    const { version } = await callDesk(startFromTheme.path, { name, version: 0 })
    await callDesk(publishTheme.path, { version })
    await takeAll(name)
  }
} else await takeAll('')
await browser.close()
await site.stop()
console.log('See screens/.')
process.exitCode = (values.looks || values.desk) && findingCount > 0 ? 1 : 0
