import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUpAtExit, makeTemporaryFolder } from '#scripts/clean-up.ts'
import { installDebianPackages } from '#scripts/debian-packages.ts'
import { ROOT } from '#scripts/root.ts'

// This test runs the commands of the manual's chapter about a public site in order, as on a rented machine: in a container
// with a fresh Debian and systemd, with the answers that an operator would type.

const machineFolder = join(makeTemporaryFolder(), 'machine')
const PASSWORD = 'rentedmachine2026'

/** The edits that the manual describes. The domain is localhost, for which Caddy signs a certificate itself. */
const EDITS = {
  '/etc/tambayan.env': `s/CHANGE-ME/${PASSWORD}/; s/play.example.ph/localhost/; s/^#APP_NAME=.*/APP_NAME="Tropa Online"/`,
  '/etc/caddy/Caddyfile': 's/play.example.ph/localhost/',
}

/** Returns the command blocks of a chapter of the manual. */
function findCodeBlocks(chapter: string): string[] {
  const manual = readFileSync(join(ROOT, 'docs/OPERATING.md'), 'utf8')
  const text = new RegExp(`^##+ ${chapter}$(.*?)^##`, 'ms').exec(manual)?.[1] ?? ''
  return [...text.matchAll(/^ *```\n(.*?)^ *```$/gms)].map(([, block = '']) => block.replaceAll(/^ +/gm, ''))
}

const toMachinePath = (path: string) => {
  mkdirSync(dirname(join(machineFolder, path)), { recursive: true })
  return join(machineFolder, path)
}

/** Creates the machine, with a clone of this checkout as the project and this machine's package sources. */
function createMachine(): void {
  installDebianPackages('debootstrap', 'systemd-container')
  const packageOption = '--include=systemd-sysv,dbus,ca-certificates'
  execFileSync('debootstrap', ['--variant=minbase', packageOption, 'trixie', machineFolder], { stdio: 'pipe' })
  for (const path of ['/etc/apt/apt.conf.d', '/etc/ssl/certs/ca-certificates.crt', '/root/.npmrc'])
    if (existsSync(path)) cpSync(path, toMachinePath(path), { recursive: true })
  execFileSync('git', ['clone', '--quiet', ROOT, toMachinePath('/srv/project')])
  // In a checkout of a single commit, the clone has no branch.
  execFileSync('git', ['checkout', '--quiet', '-B', 'main'], { cwd: toMachinePath('/srv/project') })
  // Skips dpkg's syncs, because the machine is temporary.
  writeFileSync(toMachinePath('/etc/dpkg/dpkg.cfg.d/drill'), 'force-unsafe-io\n')
  const edits = Object.entries(EDITS).map(([path, edit]) => `${path}) sed -i '${edit}' "$1" ;;`)
  const editor = `#!/bin/sh\ncase "$1" in ${edits.join(' ')} *) exit 1 ;; esac\n`
  writeFileSync(toMachinePath('/usr/local/bin/nano'), editor, { mode: 0o755 })
}

/** Repeats until there is a result, for at most a minute. */
async function pollUntil<T>(poll: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> {
  for (let attempt = 0; attempt < 120; attempt++) {
    const result = await poll()
    if (result !== undefined) return result
    await sleep(500)
  }
}

/** Returns the ports that the test machine needs and that are in use here, because it shares this machine's network. */
async function listUsedPorts(): Promise<number[]> {
  const checkPort = async (port: number) => {
    const server = createServer().listen(port)
    const isFree = await once(server, 'listening').then(Boolean, () => false)
    server.close()
    return isFree ? [] : [port]
  }
  return (await Promise.all([80, 443, 3000, 5432].map(checkPort))).flat()
}

/** Boots the machine. @returns the program and arguments that run a command in it, or undefined if it does not boot */
async function boot(): Promise<string[] | undefined> {
  const nspawnProcess = spawn(
    'systemd-nspawn',
    ['--directory', machineFolder, '--boot', '--register=no', '--keep-unit'],
    {
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
      stdio: 'ignore',
    },
  )
  nspawnProcess.unref()
  const children = `/proc/${nspawnProcess.pid}/task/${nspawnProcess.pid}/children`
  const init = await pollUntil(() => Number.parseInt(String(spawnSync('cat', [children]).stdout), 10) || undefined)
  if (init === undefined) return
  // Killing init ends every process in the machine.
  cleanUpAtExit(() => process.kill(init, 'SIGKILL'))
  const enterCommand = ['nsenter', '--target', String(init), '--all']
  return pollUntil(() => {
    const state = spawnSync('env', [...enterCommand, 'systemctl', 'is-system-running'], { encoding: 'utf8' })
    return /running|degraded/.test(state.stdout) ? enterCommand : undefined
  })
}

/** Runs a block in a terminal and types the answers. @returns the terminal's content */
async function runBlock(enterCommand: string[], block: string): Promise<string> {
  writeFileSync(toMachinePath('/root/block.sh'), `set -e\n${block.replace('PROJECT-ADDRESS', '/srv/project')}`)
  const command = [...enterCommand, 'bash', '--login', '/root/block.sh'].join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { HOME: '/root', TERM: 'dumb', DEBIAN_FRONTEND: 'noninteractive', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  })
  // A block can end before its input does.
  child.stdin.on('error', () => {})
  let output = ''
  let promptsAnswered = 0
  const isFollowing = block.includes('--follow')
  child.stdout.on('data', (chunk) => {
    output += chunk
    const promptCount = output.match(/Enter password for new role: |Enter it again: /g)?.length ?? 0
    for (; promptsAnswered < promptCount; promptsAnswered++) child.stdin.write(`${PASSWORD}\n`)
    // The command follows the log; once the site is open, press Ctrl+C as the manual describes.
    if (isFollowing && / is open/.test(output)) child.stdin.write('\x03')
  })
  const [code] = await once(child, 'exit')
  assert.ok(code === 0 || (isFollowing && / is open/.test(output)), `${block}\n${output.slice(-3000)}`)
  return output
}

/** Sends a visitor's request through the proxy. */
async function visit(path: string): Promise<{ status: number | undefined; body: string }> {
  const options = { host: '127.0.0.1', servername: 'localhost', path, headers: { host: 'localhost' } }
  const clientRequest = request({ ...options, rejectUnauthorized: false, agent: false }).end()
  const [response] = await once(clientRequest, 'response')
  return { status: response.statusCode, body: Buffer.concat(await response.toArray()).toString() }
}

const skip = process.getuid?.() === 0 ? false : 'needs root'

test('a public site comes up and is upgraded by the commands of the manual on a fresh Debian', { skip }, async (t) => {
  const usedPorts = await listUsedPorts()
  if (usedPorts.length > 0) return t.skip(`something listens on ${usedPorts.join(' and ')}`)
  createMachine()
  const enterCommand = await boot()
  if (enterCommand === undefined) return t.skip('systemd-nspawn does not boot a machine here')
  const runTimed = async (block: string) => {
    const startedAt = Date.now()
    const output = await runBlock(enterCommand, block)
    t.diagnostic(`${Math.round((Date.now() - startedAt) / 1000)} s: ${block.trim().split('\n')[0]}`)
    return output
  }

  const blocks = findCodeBlocks('A public site in ten minutes')
  assert.ok(blocks.length >= 5, 'the chapter has its commands')
  let log = ''
  for (const block of blocks) log += await runTimed(block)
  assert.match(log, /https:\/\/localhost\/admin\/first#\S+/, 'the link of the first owner')

  // Caddy needs a moment to get its certificate.
  const home = await pollUntil(() => visit('/').catch(() => undefined))
  assert.equal(home?.status, 200)
  assert.match(home?.body ?? '', /<title>[^<]*Tropa Online/)
  assert.equal((await visit('/metrics')).status, 404)
  assert.equal((await visit('/readyz')).status, 200)

  const project = toMachinePath('/srv/project')
  const description = readFileSync(join(project, 'package.json'), 'utf8')
  writeFileSync(join(project, 'package.json'), description.replace(/"version": ".*"/, '"version": "99.0.0"'))
  const author = ['-c', 'user.name=Drill', '-c', 'user.email=drill@example.ph']
  execFileSync('git', [...author, 'commit', '--quiet', '--all', '--message', 'A newer version'], { cwd: project })
  const upgrade = findCodeBlocks('Upgrading').filter((block) => block.startsWith('tambayan '))
  assert.equal(upgrade.length, 1, 'the manual has a command for the service')
  assert.match(await runTimed(upgrade[0] ?? ''), /Version 99\.0\.0 is installed/)
  assert.equal((await visit('/readyz')).status, 200)
})
