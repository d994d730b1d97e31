import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './root.ts'

/**
 * Files that may use features of a single system. The scripts install and run Debian packages. `identity.ts` has
 * a fallback for systems without the file that it reads.
 */
const SINGLE_SYSTEM_FILES = new Set([
  'bridge/game/identity.ts',
  'scripts/debian-packages.ts',
  'scripts/throwaway-mariadb.ts',
  'scripts/throwaway-postgres.ts',
  'scripts/windows-node.ts',
])

/** Features that other systems lack or handle differently. */
const UNPORTABLE_FEATURES: [name: string, pattern: RegExp][] = [
  ['a folder of one system', /['"`](\/tmp|\/usr|\/bin|\/dev|\/etc|\/opt|\/var)\b/],
  ['a user ID that Windows lacks', /\bprocess\.(getuid|getgid|geteuid|getegid|setuid|setgid)(!|\()/],
  ['a signal that Windows lacks', /['"]SIG(QUIT|USR1|USR2|STOP|CONT|PIPE)['"]/],
  ['a named pipe or a symbolic link', /\b(mkfifo|symlinkSync|symlink\()/],
  ['a shell', /\bexecSync\(|['"](sh|bash|cmd\.exe)['"]/],
  ['a path taken from an address, wrong on Windows', /new URL\([^)]*import\.meta\.url\)\.pathname/],
  ['a file path split at its slashes', /\b(path|file|dir|folder|filename|dirname)\.split\('\/'\)/],
]

test('uses single commands in package.json that every shell understands', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [name, command] of Object.entries(scripts)) assert.match(command, /^node [\w./-]+( [\w./:-]+)*$/, name)
})

test('uses only features that Windows and macOS have too, in the site and its commands', async () => {
  const usedFeatures: string[] = []
  for await (const file of glob(['server.ts', '{bridge,contract,content,demo,server,scripts}/**/*.{ts,tsx}'], {
    cwd: ROOT,
  })) {
    const path = file.replaceAll('\\', '/')
    if (path.endsWith('.test.ts') || SINGLE_SYSTEM_FILES.has(path)) continue
    const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n')
    for (const [nth, line] of lines.entries())
      for (const [featureName, pattern] of UNPORTABLE_FEATURES)
        if (pattern.test(line)) usedFeatures.push(`${path}:${nth + 1} ${featureName}: ${line.trim()}`)
  }
  assert.deepEqual(usedFeatures, [])
})

test('locks one version of Node for every platform, without a registry’s address', async () => {
  const text = await readFile(join(ROOT, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, { version: string; os?: string }> }
  const platforms = ['linux-x64', 'linux-arm64', 'win-x64', 'darwin-x64', 'bin-darwin-arm64']
  const versions = platforms.map((platform) => packages[`node_modules/node-${platform}`]?.version)
  assert.deepEqual(new Set(versions), new Set([process.versions.node]))
  assert.doesNotMatch(text, /"resolved"/)
})
