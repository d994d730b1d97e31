/**
 * Lighthouse's scores on a phone (its mobile settings: a slow 4G and a processor four times slower) for the pages that
 * most visits begin on: the median of several runs, with the time until the largest element is painted.
 *
 * `node bench/lighthouse.ts [runs, 5 by default]`; npm fetches Lighthouse the first time, it is not a dependency.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ensureBrowser } from '#scripts/browser.ts'
import { startSite } from '#scripts/start-site.ts'
import { median } from './side-by-side.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const PAGES = ['/', '/news', '/rankings', '/itemshop', '/register', '/story']
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const RUNS = Number(process.argv[2] ?? 5)

type Report = {
  categories: Record<(typeof CATEGORIES)[number], { score: number | null }>
  audits: Record<string, { score: number | null; title: string; scoreDisplayMode: string; numericValue?: number }>
}

const run = promisify(execFile)
const chromePath = ensureBrowser()

async function runLighthouse(url: string): Promise<Report> {
  const flags = ['--quiet', '--output=json', `--only-categories=${CATEGORIES.join(',')}`]
  const chrome = '--chrome-flags=--headless=new --no-sandbox'
  const { stdout } = await run(
    'npm',
    ['exec', '--yes', '--package', LIGHTHOUSE, '--', 'lighthouse', url, ...flags, chrome],
    {
      env: { ...process.env, CHROME_PATH: chromePath },
      maxBuffer: 2 ** 27,
    },
  )
  return JSON.parse(stdout) as Report
}

/** Now and then Chromium loses a trace; then the run is made again. */
const runAgain = (url: string) => runLighthouse(url).catch(() => runLighthouse(url))

const site = await startSite()
try {
  console.log(`${'page'.padEnd(12)} ${CATEGORIES.map((name) => name.padStart(14)).join(' ')}   largest paint, s`)
  for (const page of PAGES) {
    const reports: Report[] = []
    for (let nth = 0; nth < RUNS; nth++) reports.push(await runAgain(site.origin + page))
    const scores = CATEGORIES.map((name) =>
      median(reports.map(({ categories }) => (categories[name].score ?? 0) * 100)),
    )
    const paint = median(reports.map(({ audits }) => audits['largest-contentful-paint']?.numericValue ?? 0)) / 1000
    console.log(
      `${page.padEnd(12)} ${scores.map((score) => score.toFixed(0).padStart(14)).join(' ')}   ${paint.toFixed(2)}`,
    )
    const failed = Object.values(reports[0]?.audits ?? {}).filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode === 'binary',
    )
    for (const { title } of failed) console.log(`  ${title}`)
  }
} finally {
  await site.stop()
}
