/**
 * Measures a contributor's waiting times in this checkout and another one. Prints a line for each, with the wall and
 * processor seconds and their ratios. Close all other programs first. It deletes the builds and caches of both
 * checkouts, and runs for an hour or more on two cores.
 *
 * `node bench/minutes.ts ../before`, or only some lines: `node bench/minutes.ts ../before check start`
 */
import { spawn } from 'node:child_process'
import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { ensureBrowser } from '#scripts/browser.ts'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { ROOT } from '#scripts/root.ts'
import { findFreePort } from '#scripts/throwaway-postgres.ts'

/** A measured value, in the unit of its measurement, and the processor time in seconds. */
type Figure = { value: number; processorSeconds?: number }
type Measurement = { name: string; unit?: string; measure(folder: string): Promise<Figure> }

const BUILT_PATHS = ['build', '.cache', 'node_modules/.cache', 'web/public/art', 'web/ui/fonts']
const deleteBuiltFiles = (folder: string) =>
  Promise.all(BUILT_PATHS.map((path) => rm(join(folder, path), { recursive: true, force: true })))

type RunningSite = { origin: string; stop(): Promise<Figure> }

/**
 * Starts a command in a shell that counts the processor time of all its processes.
 *
 * @returns once the command has printed an address, or has ended
 */
async function startCommand(folder: string, command: string, env: Record<string, string> = {}): Promise<RunningSite> {
  const startedAt = performance.now()
  const secondsSinceStart = () => (performance.now() - startedAt) / 1000
  const script = `trap : TERM; TIMEFORMAT='processor %U %S'; time ${command}`
  const { NODE_ENV: _, ...inheritedEnv } = process.env
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    detached: true,
    env: { ...inheritedEnv, ...env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}` },
  })
  let output = ''
  const processExit = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const origin = await new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        const address = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)?.[0]
        if (address !== undefined) resolve(address)
      })
    void processExit.then(() => resolve(''))
  })
  const seconds = secondsSinceStart()
  return {
    origin,
    stop: async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await processExit
      const [, user, system] = /processor ([\d.]+) ([\d.]+)/.exec(output) ?? []
      if (child.exitCode !== 0 && origin === '') console.log(`${command} failed in ${folder}:\n${output.slice(-2000)}`)
      return { value: seconds, processorSeconds: Number(user) + Number(system) }
    },
  }
}

const runCommand = async (folder: string, command: string) => (await startCommand(folder, command)).stop()

const dataDirs = new Map<string, string>()
/** Returns the data directory of a checkout, which its second start shares with the first. */
function findDataDir(folder: string): string {
  const dataDir = dataDirs.get(folder) ?? join(makeTemporaryFolder(), 'data')
  dataDirs.set(folder, dataDir)
  return dataDir
}

/** Starts the site and waits for its home page. */
async function startSite(folder: string, dataDir: string): Promise<RunningSite> {
  const startedAt = performance.now()
  const site = await startCommand(folder, 'npm start', {
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
    RATE_LIMIT: 'off',
  })
  await (await fetch(site.origin)).text()
  const seconds = (performance.now() - startedAt) / 1000
  return { ...site, stop: async () => ({ ...(await site.stop()), value: seconds }) }
}

type SourceEdit = { file: string; from: string; to: string; path: string; before: string; after: string }

const COMPONENT_EDIT: SourceEdit = {
  file: 'web/shell/footer.tsx',
  from: 'All times are in Manila time (GMT+08:00)',
  to: 'Edited a moment ago',
  path: '/',
  before: 'All times are in Manila time (GMT+08:00)',
  after: 'Edited a moment ago',
}
const HANDLER_EDIT: SourceEdit = {
  file: 'server/features/news/queries.ts',
  from: 'subject: row.subject',
  to: "subject: 'Edited: ' + row.subject",
  path: '/news',
  before: 'News',
  after: 'Edited: ',
}

async function hasDevServer(folder: string): Promise<boolean> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return scripts.dev !== undefined
}

const startDev = async (folder: string, dataDir: string) =>
  startCommand(folder, 'npm run dev', { DATA_DIR: dataDir, PORT: String(await findFreePort()) })

/**
 * Edits a source file and waits until the browser shows the change: with `npm run dev`, or after another start in
 * checkouts without it.
 */
async function measureEdit(folder: string, edit: SourceEdit): Promise<Figure> {
  const hasDevScript = await hasDevServer(folder)
  const dataDir = join(makeTemporaryFolder(), 'data')
  const openSite = () => (hasDevScript ? startDev(folder, dataDir) : startSite(folder, dataDir))
  const browser = await chromium.launch({ executablePath: ensureBrowser('shell'), args: ['--no-sandbox'] })
  const page = await browser.newPage()
  const path = join(folder, edit.file)
  const source = await readFile(path, 'utf8')
  if (!source.includes(edit.from)) throw new Error(`${path} has no text “${edit.from}” to edit.`)
  let site = await openSite()
  try {
    await page.goto(`${site.origin}${edit.path}`, { waitUntil: 'networkidle' })
    await page.getByText(edit.before).first().waitFor()
    const startedAt = performance.now()
    await writeFile(path, source.replace(edit.from, edit.to))
    if (!hasDevScript) {
      await site.stop()
      site = await openSite()
      await page.goto(`${site.origin}${edit.path}`)
    }
    await page.getByText(edit.after).first().waitFor({ timeout: 600_000 })
    return { value: (performance.now() - startedAt) / 1000 }
  } finally {
    await writeFile(path, source)
    await site.stop()
    await browser.close()
  }
}

/** Starts the development server, or in checkouts without it the production site, and waits for the home page. */
async function measureDevStart(folder: string): Promise<Figure> {
  await deleteBuiltFiles(folder)
  const dataDir = join(makeTemporaryFolder(), 'data')
  if (!(await hasDevServer(folder))) return (await startSite(folder, dataDir)).stop()
  const startedAt = performance.now()
  const site = await startDev(folder, dataDir)
  await (await fetch(site.origin)).text()
  const seconds = (performance.now() - startedAt) / 1000
  return { ...(await site.stop()), value: seconds }
}

async function measureSize(folder: string): Promise<Figure> {
  const child = spawn('du', ['-sk', 'node_modules'], { cwd: folder })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  return { value: Number.parseInt(output, 10) / 1024 }
}

const MEASUREMENTS: Measurement[] = [
  { name: 'npm ci', measure: (folder) => runCommand(folder, 'npm ci') },
  {
    name: 'first start',
    measure: async (folder) => {
      await deleteBuiltFiles(folder)
      dataDirs.delete(folder)
      return (await startSite(folder, findDataDir(folder))).stop()
    },
  },
  {
    name: 'second start',
    measure: async (folder) => {
      // Without an earlier start in this run, this start only prepares the next one.
      const isPrepared = await access(findDataDir(folder)).then(
        () => true,
        () => false,
      )
      if (!isPrepared) await (await startSite(folder, findDataDir(folder))).stop()
      // Stopping a first start at its first response would leave the rest of the build to the next start.
      await runCommand(folder, 'npm run build')
      return (await startSite(folder, findDataDir(folder))).stop()
    },
  },
  {
    name: 'check, cold',
    measure: async (folder) => {
      for (const path of ['.cache', 'node_modules/.cache'])
        await rm(join(folder, path), { recursive: true, force: true })
      return runCommand(folder, 'npm run check')
    },
  },
  { name: 'check, warm', measure: (folder) => runCommand(folder, 'npm run check') },
  { name: 'dev, first page', measure: measureDevStart },
  { name: 'edit to pixels', measure: (folder) => measureEdit(folder, COMPONENT_EDIT) },
  { name: 'edit of a handler', measure: (folder) => measureEdit(folder, HANDLER_EDIT) },
  { name: 'npm test', measure: (folder) => runCommand(folder, 'npm test') },
  { name: 'size of node_modules', unit: 'MB', measure: measureSize },
]

const { positionals } = parseArgs({ allowPositionals: true })
const [beforeFolder = '../before', ...names] = positionals
const measurements = MEASUREMENTS.filter(
  ({ name }) => names.length === 0 || names.some((namePart) => name.includes(namePart)),
)

const formatFigure = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1))
const formatRatio = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? '' : (a / b).toFixed(2)

console.log(`${'line'.padEnd(22)}      here    before  ratio   CPU here  before  ratio`)
for (const { name, unit = 's', measure } of measurements) {
  const beforeFigure = await measure(resolve(beforeFolder))
  const hereFigure = await measure(ROOT)
  const cells = [
    ...[
      formatFigure(hereFigure.value),
      formatFigure(beforeFigure.value),
      formatRatio(hereFigure.value, beforeFigure.value),
    ],
    ...[
      formatFigure(hereFigure.processorSeconds),
      formatFigure(beforeFigure.processorSeconds),
      formatRatio(hereFigure.processorSeconds, beforeFigure.processorSeconds),
    ],
  ]
  console.log(`${`${name} (${unit})`.padEnd(22)} ${cells.map((cell) => cell.padStart(9)).join('')}`)
}
