import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { storeSession } from '#test/e2e/log-in.ts'
import { MEMBER_ROUTES, ROUTES } from '#test/e2e/routes.ts'
import { ensureBrowser } from './ensure-browser.ts'

/** `npm run screens [part-of-a-path]`: saves every route at 360, 768 and 1440 px, logged out and in, under screens/. */
const ROOT = join(import.meta.dirname, '..')
const PORT = '3912'
const SITE = `http://127.0.0.1:${PORT}`
const WIDTHS = [360, 768, 1440]
const PLACES = [
  ...[...ROUTES, ...MEMBER_ROUTES].map(([path]) => path),
  '/topic/45',
  '/rankings?tab=killer&school=2',
  '/rankings?tab=resu',
  '/characters?class=shaper',
  '/instructions?part=chat',
  '/search?q=brawler',
]

const nameOf = (route: string) => route.replace(/^\//, '').replace(/[^a-z0-9]+/gi, '-') || 'home'

async function startSite(dataDir: string): Promise<() => void> {
  const site = spawn(process.execPath, ['server.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT, DATA_DIR: dataDir, RATE_LIMIT: 'off' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (let attempt = 0; attempt < 300; attempt++) {
    if (
      await fetch(`${SITE}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return () => site.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The site did not start.')
}

const wanted = process.argv[2] ?? ''
const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-screens-'))
const stop = await startSite(dataDir)
const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const who of ['guest', 'player']) {
  for (const width of WIDTHS) {
    const folder = join(ROOT, 'screens', who, String(width))
    await mkdir(folder, { recursive: true })
    const context = await browser.newContext({
      baseURL: SITE,
      viewport: { width, height: width < 500 ? 780 : 900 },
      reducedMotion: 'reduce',
    })
    if (who === 'player') await storeSession(context)
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') console.log(`${who} ${width} ${page.url()}: ${message.text()}`)
    })
    for (const route of [...new Set(PLACES)].filter((candidate) => candidate.includes(wanted))) {
      await page.goto(route, { waitUntil: 'networkidle' })
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (sideways > 0) console.log(`${who} ${width} ${route}: ${sideways} px sideways`)
      await page.screenshot({ path: join(folder, `${nameOf(route)}.png`), fullPage: true })
    }
    await context.close()
  }
}
await browser.close()
stop()
await rm(dataDir, { recursive: true, force: true })
console.log('Look at them in screens/.')
