import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PORT = '3911'

/** Starts the site for the page tests and stops it after them. */
export default async function startSite(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-e2e-'))
  process.env.E2E_DATA_DIR = dataDir
  const site = spawn(process.execPath, ['server.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PORT, DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => site.once('exit', resolve))
  for (let attempt = 0; ; attempt++) {
    const ready = await fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) break
    if (attempt === 300 || site.exitCode !== null) throw new Error('The site did not start.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return async () => {
    site.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}
