/**
 * Measures the time of the first and the second start until the home page is served, and their memory: the first start
 * on the embedded database, unbuilt, as after `npm ci`, within a cgroup of 1 GB where the system has one (Linux, as
 * root). Also prints processor time, because other work on the machine only adds to the wall time.
 *
 * `node bench/start.ts` (removes `build/`, which the first start builds again)
 */
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { ROOT } from '#scripts/root.ts'
import { type Started, startSite } from '#scripts/start-site.ts'
import { printFigure } from './side-by-side.ts'

const MACHINE_BYTES = 1e9

type MemoryLimit = { readPeakMb(): Promise<number>; leave(): Promise<void> }

/** Limits this process and its children to 1 GB of memory without swap. @returns undefined if the system does not allow it */
async function limitMemory(): Promise<MemoryLimit | undefined> {
  const isVersion2 = await readFile('/sys/fs/cgroup/cgroup.controllers', 'utf8').then(
    () => true,
    () => false,
  )
  const root = isVersion2 ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory'
  const group = join(root, `tambayan-${process.pid}`)
  try {
    await mkdir(group)
    await writeFile(join(group, isVersion2 ? 'memory.max' : 'memory.limit_in_bytes'), String(MACHINE_BYTES))
    await writeFile(join(group, 'cgroup.procs'), String(process.pid))
  } catch {
    return undefined
  }
  return {
    readPeakMb: async () =>
      Number(await readFile(join(group, isVersion2 ? 'memory.peak' : 'memory.max_usage_in_bytes'), 'utf8')) / 1e6,
    leave: async () => {
      await writeFile(join(root, 'cgroup.procs'), String(process.pid))
      await rmdir(group)
    },
  }
}

/** Processor seconds of the site and of the programs that it ran and waited for; Linux only. */
async function measureProcessorSeconds({ process: { pid } }: Started): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

async function measureMegabytes({ process: { pid } }: Started): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6
}

async function measureStart(what: string, dataDir: string, seconds: number): Promise<void> {
  const start = performance.now()
  const site = await startSite({ env: { DATA_DIR: dataDir } })
  const page = await fetch(site.origin)
  await page.text()
  if (!page.ok) throw new Error(`The home page was not rendered (${page.status}).`)
  const took = (performance.now() - start) / 1000
  const used = await measureProcessorSeconds(site)
  const peakMb = await measureMegabytes(site)
  printFigure(
    `${what} until the home page is served (${used.toFixed(1)} s of processor time, the site at most ${Math.round(peakMb)} MB)`,
    's',
    took,
    { atMost: seconds },
  )
  await site.stop()
}

const dataDir = join(makeTemporaryFolder(), 'data')
await rm(join(ROOT, 'build'), { recursive: true, force: true })
const limit = await limitMemory()
await measureStart('first start', dataDir, 25)
if (limit !== undefined) {
  printFigure('memory of all programs of the first start, files in memory included', 'MB', await limit.readPeakMb(), {
    atMost: MACHINE_BYTES / 1e6,
  })
  await sleep(200)
  await limit.leave()
}
await measureStart('second start', dataDir, 2)
