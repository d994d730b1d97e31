import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ensureBuilt } from './build.ts'
import { ROOT } from './root.ts'

await ensureBuilt(() => {})
const folder = await mkdtemp(join(tmpdir(), 'tambayan-upgrades-'))
/** The folders of a repository that publishes versions, of an operator's checkout of it, and of the site's data. */
const [origin, checkout, dataDir] = ['origin', 'checkout', 'data'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all([...children].map((child) => child.exitCode ?? once(child, 'exit')))
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

const GIT = ['-c', 'user.name=Drill', '-c', 'user.email=drill@example.ph']
const git = (cwd: string, ...args: string[]) => execFileSync('git', [...GIT, ...args], { cwd, encoding: 'utf8' }).trim()

/** Publishes the current files of this checkout, and clones them with the results of `npm ci` and the build. */
async function publish(): Promise<void> {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of String(files).split('\0').filter(Boolean))
    await cp(join(ROOT, file), join(origin, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  git(origin, 'init', '--quiet', '--initial-branch=main')
  commit('The first version')
  git(folder, 'clone', '--quiet', origin, checkout)
  // With -H, a link is copied as the folder that it leads to. Otherwise `npm ci` would empty the packages of this checkout.
  for (const generatedFolder of ['node_modules', 'build', 'web/public/art', 'web/ui/fonts'])
    execFileSync('cp', ['-rH', '--reflink=auto', join(ROOT, generatedFolder), join(checkout, generatedFolder)])
}

function commit(message: string): void {
  git(origin, 'add', '--all')
  git(origin, 'commit', '--quiet', '--message', message)
}

/**
 * Publishes a version with another migration and the changed `files`. If the lockfile is among them, the upgrade
 * installs packages again.
 */
async function release(version: string, migration: string, statements: string, files = ['package.json']) {
  for (const file of files) {
    const text = await readFile(join(origin, file), 'utf8')
    await writeFile(join(origin, file), text.replace(/"version": "[^"]+"/, `"version": "${version}"`))
  }
  await writeFile(join(origin, `server/db/migrations/${migration}.sql`), statements)
  commit(`Version ${version}`)
}

/** Runs a program of the checkout. `env` adds environment variables. */
function run(script: string, args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(join(checkout, 'node_modules/.bin/node'), [script, ...args], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  children.add(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk))
  const processExit = once(child, 'exit').then(([code]) => {
    children.delete(child)
    return code as number | null
  })
  return { child, output, processExit }
}

/** Waits until a program's output matches a pattern. @returns the first group */
async function waitForOutput({ output, processExit }: ReturnType<typeof run>, pattern: RegExp): Promise<string> {
  const exitCode = processExit.then((code) => code)
  for (;;) {
    const match = pattern.exec(output.text)
    if (match !== null) return match[1] ?? ''
    const code = await Promise.race([exitCode, setTimeout(50, 'runs' as const)])
    if (code !== 'runs' && pattern.exec(output.text) === null) assert.fail(`ended with ${code}: ${output.text}`)
  }
}

const OPEN = / is open: (\S+)/
const readVersion = async () => JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')).version as string

async function logIn(address: string): Promise<number> {
  const answer = await fetch(`${address}/api/processlogin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ UserID: 'juan', UserPass: 'juan-demo-1' }),
  })
  return (await answer.json()).data.status
}

test('npm run upgrade backs up, installs and migrates, and reverts a version that fails to open', async () => {
  await publish()
  const site = run('server.ts', [], { DATA_DIR: dataDir, PORT: '0', APP_NAME: 'Barkada Online', LOG_LEVEL: 'error' })
  const address = await waitForOutput(site, OPEN)

  await release('0.2.0', '901-drill', 'create table drill (name text);\n', ['package.json', 'package-lock.json'])
  const secondRun = run('scripts/upgrade.ts')
  assert.equal(await waitForOutput(secondRun, OPEN), address, 'the restarted site has the earlier settings')
  assert.equal(await site.processExit, 0)
  await waitForOutput(secondRun, /(Version 0\.2\.0 is installed)/)
  assert.match(secondRun.output.text, /git reset --keep [0-9a-f]{12}.*restore the backup.*\.backup\.gz/)
  assert.match(secondRun.output.text, /Barkada Online is open/)
  assert.equal(await logIn(address), 1)
  const backups = await readdir(join(dataDir, 'backups'))
  assert.equal(backups.filter((name) => name.endsWith('.gz')).length, 2, 'the command and the start each make a backup')

  const repeatedRun = run('scripts/upgrade.ts')
  assert.equal(await repeatedRun.processExit, 0)
  assert.match(repeatedRun.output.text, /This checkout is already at version 0\.2\.0\./)

  await release('0.3.0', '902-drill', 'create table drill_more (name text);\nselect 1 / 0;\n')
  const thirdRun = run('scripts/upgrade.ts')
  await waitForOutput(thirdRun, /The upgrade failed, and version (0\.2\.0) is back/)
  assert.match(thirdRun.output.text, /division by zero/)
  assert.equal(await secondRun.processExit, 0)
  assert.equal(await readVersion(), '0.2.0')
  assert.equal(await logIn(address), 1)

  const ledger = run('scripts/operate.ts', ['ledger'])
  assert.equal(await ledger.processExit, 0, ledger.output.text)
  thirdRun.child.kill('SIGTERM')
  assert.equal(await thirdRun.processExit, 1)

  await writeFile(join(checkout, 'README.md'), 'Mine')
  const changedRun = run('scripts/upgrade.ts')
  assert.equal(await changedRun.processExit, 1)
  assert.match(changedRun.output.text, /Files of this checkout were changed:\nREADME\.md/)
})

test('a service is upgraded through systemctl, and reverted when the new version fails to open', async () => {
  git(checkout, 'checkout', '--quiet', 'README.md')
  const [programs, log, pid] = ['programs', 'journal', 'pid'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(programs)
  const write = (name: string, script: string) =>
    writeFile(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const node = `cd ${checkout} && DATA_DIR=${dataDir} PORT=0 LOG_LEVEL=error node_modules/.bin/node`
  await write('journalctl', `cat ${log}`)
  await write('tambayan', `[ "$1" = backup ] && ${node} scripts/backup.ts`)
  await write(
    'systemctl',
    `case "$1" in
restart)
  if [ -e ${pid} ]; then kill $(cat ${pid}); while kill -0 $(cat ${pid}) 2>/dev/null; do sleep 0.1; done; fi
  : > ${log}
  (${node.replace('node_modules/.bin/node', 'exec node_modules/.bin/node')} server.ts) >> ${log} 2>&1 &
  echo $! > ${pid} ;;
show) if kill -0 $(cat ${pid}) 2>/dev/null; then echo 0; else echo 1; fi ;;
esac`,
  )
  const serviceRun = run('scripts/upgrade.ts', ['--service', 'tambayan'], { PATH: `${programs}:${process.env.PATH}` })
  assert.equal(await serviceRun.processExit, 1, serviceRun.output.text)
  assert.match(serviceRun.output.text, /The service tambayan did not open:\n[\s\S]*division by zero/)
  assert.match(serviceRun.output.text, /The upgrade failed, and version 0\.2\.0 is back\./)
  const address = /Tambayan Online is open: (\S+)/.exec(await readFile(log, 'utf8'))?.[1] ?? ''
  assert.equal(await logIn(address), 1)
  process.kill(Number(await readFile(pid, 'utf8')), 'SIGTERM')
})
