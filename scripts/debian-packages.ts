import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

function findBrowser(): string | undefined {
  return PLACES.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Installs packages with apt-get, which needs root. @throws with apt-get's message */
export function installDebianPackages(...packages: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`Install ${packages.join(', ')} and try again. apt-get failed: ${stderr}`)
  }
}

/** The path of the system's Chromium. Installs Debian's package if there is none. */
export async function ensureBrowser(): Promise<string> {
  const found = findBrowser()
  if (found !== undefined) return found
  console.log('Installing Chromium for the page tests …')
  installDebianPackages('chromium', 'fonts-liberation')
  const installed = findBrowser()
  if (installed === undefined) throw new Error('Chromium was installed but could not be found.')
  return installed
}
