import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../scripts/build.ts'
import { startSite } from '../../scripts/start-site.ts'

/** Starts the site for the page tests, on a free port, and stops it after them. */
export default async function startForPages(): Promise<() => Promise<void>> {
  await ensureBuilt(console.log)
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-e2e-'))
  const site = await startSite({ env: { DATA_DIR: dataDir } })
  process.env.E2E_DATA_DIR = dataDir
  process.env.E2E_ORIGIN = site.origin
  return async () => {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
