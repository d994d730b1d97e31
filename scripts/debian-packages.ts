import { spawnSync } from 'node:child_process'

/** Installs packages with apt-get, which needs root. @throws with apt-get's message */
export function installDebianPackages(...packages: string[]): void {
  // At run level 1, packages do not start their services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const { status, stderr, error } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0)
      throw new Error(`Install ${packages.join(', ')} and try again. apt-get failed: ${stderr ?? error?.message}`)
  }
}
