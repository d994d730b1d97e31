import { cp } from 'node:fs/promises'
import { ensureBuilt } from '../../scripts/build.ts'
import { makeTemporaryFolder } from '../../scripts/clean-up.ts'
import { type StartedProgram, startSite } from '../../scripts/start-site.ts'

/** Starts the site for the page tests on a free port. @returns a function that stops it */
export default async function startForPages(): Promise<() => Promise<void>> {
  await ensureBuilt(console.log)
  const dataDir = makeTemporaryFolder()
  const worldDir = makeTemporaryFolder()
  // The first start creates the demo world, which startSeparateSite copies.
  const firstSite = await startSite({ env: { DATA_DIR: dataDir } })
  await firstSite.stop()
  await cp(dataDir, worldDir, { recursive: true })
  const site = await startSite({ env: { DATA_DIR: dataDir } })
  process.env.E2E_DATA_DIR = dataDir
  process.env.E2E_WORLD = worldDir
  process.env.E2E_ORIGIN = site.origin
  return site.stop
}

/** Starts a separate site for a test, on a copy of the demo world, because creating a world takes many seconds. */
export async function startSeparateSite(env: Record<string, string> = {}): Promise<StartedProgram> {
  const dataDir = makeTemporaryFolder()
  await cp(process.env.E2E_WORLD ?? '', dataDir, { recursive: true })
  return startSite({ env: { ...env, DATA_DIR: dataDir } })
}
