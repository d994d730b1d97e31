import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { access, readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { cleanUpAtExit, makeTemporaryFolder } from '#scripts/clean-up.ts'
import { installDebianPackages } from '#scripts/debian-packages.ts'
import { findFreePort } from '#scripts/throwaway-postgres.ts'
import { readConfig } from '#server/config.ts'
import { openPlayerSession } from './account-helpers.ts'
import { createTestApp, listenOnPort } from './helpers.ts'
import { createFile, createTicketForm } from './ticket-helpers.ts'

const DEPLOY = join(import.meta.dirname, '../deploy')
const readDeployed = (name: string) => readFile(join(DEPLOY, name), 'utf8')
// Debian installs nginx outside the PATH of a plain shell.
process.env.PATH = [process.env.PATH, '/usr/sbin', '/sbin'].join(':')
const hasProgram = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const folder = makeTemporaryFolder()
chmodSync(folder, 0o755)

const isRoot = process.getuid?.() === 0
const missingPrograms = ['nginx', 'caddy', 'openssl'].filter((program) => !hasProgram(program))
if (missingPrograms.length > 0 && isRoot) installDebianPackages(...missingPrograms)
const skip = missingPrograms.length > 0 && !isRoot ? `needs ${missingPrograms.join(', ')}` : false

type Proxy = { name: string; https: number; http: number; log: () => string }

const childProcesses: ChildProcess[] = []
after(() => {
  for (const child of childProcesses) child.kill('SIGTERM')
})

/** Runs a proxy until the tests end. @returns a function that returns its output */
function runProxy(command: string, args: string[]): () => string {
  const child = spawn(command, args, { env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } })
  childProcesses.push(child)
  cleanUpAtExit(() => child.kill('SIGTERM'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return () => output
}

async function startCaddy(upstream: number): Promise<Proxy> {
  const [https, http] = [await findFreePort(), await findFreePort()]
  const globalOptions = `{
    admin off
    http_port ${http}
    https_port ${https}
    skip_install_trust
  }\n`
  const text = (await readDeployed('Caddyfile'))
    .replace('{$SITE_ADDRESS:play.example.ph}', 'localhost')
    .replace('{$SITE_UPSTREAM:127.0.0.1:3000}', `127.0.0.1:${upstream}`)
  const path = join(folder, 'Caddyfile')
  await writeFile(path, globalOptions + text)
  return { name: 'caddy', https, http, log: runProxy('caddy', ['run', '--config', path, '--adapter', 'caddyfile']) }
}

async function startNginx(upstream: number): Promise<Proxy> {
  const [https, http] = [await findFreePort(), await findFreePort()]
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const certificateOptions = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', ['req', ...certificateOptions, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const site = (await readDeployed('nginx.conf'))
    .replaceAll(/^\s*listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443', `listen 127.0.0.1:${https}`)
    .replaceAll('play.example.ph;', 'localhost;')
    .replace('/etc/letsencrypt/live/play.example.ph/fullchain.pem', certificate)
    .replace('/etc/letsencrypt/live/play.example.ph/privkey.pem', key)
    .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)
  const temporaryFolders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = `daemon off;\nworker_processes 1;\npid ${folder}/nginx.pid;\nerror_log stderr;\n${isRoot ? 'user root;\n' : ''}
    events {}\nhttp {\naccess_log off;\n${temporaryFolders.map((name) => `${name}_temp_path ${folder}/${name};\n`).join('')}${site}}\n`
  const path = join(folder, 'nginx.conf')
  await writeFile(path, main)
  return { name: 'nginx', https, http, log: runProxy('nginx', ['-e', 'stderr', '-c', path]) }
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

/** Sends a request through a proxy, from a different address than the proxy's. */
async function sendRequest(
  { https }: Pick<Proxy, 'https'>,
  path: string,
  { body, ...options }: RequestOptions & { body?: Buffer } = {},
): Promise<Answer> {
  const clientRequest = request({
    host: '127.0.0.1',
    servername: 'localhost',
    port: https,
    path,
    localAddress: '127.0.0.2',
    agent: false,
    rejectUnauthorized: false,
    ...options,
    headers: { host: 'localhost', ...options.headers },
  })
  clientRequest.end(body)
  // A proxy that refuses a body closes the connection while the rest is being sent.
  clientRequest.on('error', () => {})
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = await response.toArray()
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

/** Repeats the request until the proxy is listening and has its certificate. */
async function waitUntilReady(proxy: Proxy): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const status = await sendRequest(proxy, '/healthz').then((response) => response.status, String)
    if (status === 200) return
    if (attempt === 100) throw new Error(`${proxy.name} does not answer (${status}):\n${proxy.log()}`)
    await sleep(100)
  }
}

async function startAll() {
  const site = await createTestApp({ pages: true, env: { TRUST_PROXY: '1', RATE_LIMIT: 'off' } })
  const { port } = await listenOnPort(site)
  const proxies = await Promise.all([startNginx(port), startCaddy(port)])
  await Promise.all(proxies.map(waitUntilReady))
  return { site, proxies }
}

const runningServers = skip === false ? await startAll() : undefined

test('the example of the settings is valid with every line uncommented', async () => {
  const lines = (await readDeployed('tambayan.env')).split('\n').map((line) => line.replace(/^#(?=[A-Z_]+=)/, ''))
  const settings = lines.filter((line) => /^[A-Z_]+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2))
  const env = Object.fromEntries(settings.map(([name, value]) => [name, value?.replace(/^"(.*)"$/, '$1')]))
  const config = readConfig(env)
  const configJson = JSON.stringify(config)
  for (const [name, value] of Object.entries(env))
    if (!['DEMO', 'TRUST_PROXY'].includes(name)) assert.ok(configJson.includes(String(value)), `${name} is a setting`)
  assert.deepEqual([config.demo, config.trustedProxies, config.host], [false, 1, '127.0.0.1'])
})

test('neither example of settings names the site, because the desk does', async () => {
  assert.doesNotMatch(await readDeployed('compose.yaml'), /APP_NAME/)
  assert.doesNotMatch(await readDeployed('tambayan.env'), /^APP_NAME/m)
})

test('no example in deploy/ stops requests to a site because of /readyz', async () => {
  for (const name of ['compose.yaml', 'Dockerfile', 'Caddyfile', 'nginx.conf', 'tambayan.service'])
    assert.doesNotMatch(await readDeployed(name), /readyz/, name)
})

test('the Dockerfile copies only existing files, and all files that `npm ci` runs', async () => {
  const copyCommands = (await readDeployed('Dockerfile')).split(/^RUN npm ci$/m)[0] ?? ''
  const files = [...copyCommands.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  for (const file of files) await access(join(DEPLOY, '..', file))
  const { scripts } = JSON.parse(await readFile(join(DEPLOY, '../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    for (const [script] of (scripts[name] ?? '').matchAll(/\S+\.ts/g))
      assert.ok(files.includes(script), `${name}: ${script}`)
})

test('the service is valid and well protected', async (t) => {
  if (!hasProgram('systemd-analyze')) return t.skip('needs systemd-analyze')
  const unit = join(folder, 'tambayan.service')
  const text = await readDeployed('tambayan.service')
  await writeFile(unit, text.replaceAll('/opt/tambayan', join(DEPLOY, '..')))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  const serviceLines = verified.stderr.split('\n').filter((line) => line.includes('tambayan'))
  assert.deepEqual([verified.status, serviceLines], [0, []])
  const securityCheck = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
    encoding: 'utf8',
  })
  const level = /Overall exposure level.*: ([\d.]+)/.exec(securityCheck.stdout)?.[1]
  t.diagnostic(`exposure level ${level}`)
  assert.equal(securityCheck.status, 0, securityCheck.stdout)
})

test('the nightly backup is a valid service with a valid timer, which runs at night in Manila', async (t) => {
  if (!hasProgram('systemd-analyze')) return t.skip('needs systemd-analyze')
  const timer = join(folder, 'tambayan-backup.timer')
  await writeFile(timer, await readDeployed('tambayan-backup.timer'))
  const service = await readDeployed('tambayan-backup.service')
  const unit = join(folder, 'tambayan-backup.service')
  await writeFile(unit, service.replace('/usr/local/bin/tambayan', join(DEPLOY, 'tambayan')))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit, timer], { encoding: 'utf8' })
  const serviceLines = verified.stderr.split('\n').filter((line) => line.includes('tambayan'))
  assert.deepEqual([verified.status, serviceLines], [0, []])
  const calendarTime = /^OnCalendar=(.*)$/m.exec(await readFile(timer, 'utf8'))?.[1] ?? ''
  const calendar = spawnSync('systemd-analyze', ['calendar', calendarTime], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  })
  assert.match(calendar.stdout, /20:30:00 UTC/)
})

/** Defines a test that checks nginx and Caddy, each in front of the site. */
function testProxies(
  name: string,
  check: (proxy: Proxy, site: Awaited<ReturnType<typeof createTestApp>>) => Promise<void>,
) {
  test(`nginx and Caddy: ${name}`, { skip }, async () => {
    for (const proxy of runningServers?.proxies ?? [])
      if (runningServers !== undefined) await check(proxy, runningServers.site)
  })
}

testProxies('the site gets the client’s address, whatever headers the client sends', async (proxy, site) => {
  const juan = await openPlayerSession(site, 'juan')
  for (const forgedHeaders of [{}, { 'x-forwarded-for': '198.51.100.7' }, { forwarded: 'for=198.51.100.7' }]) {
    const { body } = await sendRequest(proxy, '/api/user-ip', {
      headers: { authorization: `Bearer ${juan.token}`, ...forgedHeaders },
    })
    assert.equal(JSON.parse(body.toString()).useripdata.CC_IP, '127.0.0.2', proxy.name)
  }
})

testProxies('plain http leads to https', async ({ http, name }) => {
  const clientRequest = requestPlainly({
    host: '127.0.0.1',
    port: http,
    path: '/news?page=2',
    headers: { host: 'localhost' },
  }).end()
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  response.resume()
  assert.match(String(response.statusCode), /^30[18]$/, name)
  assert.match(response.headers.location ?? '', /^https:\/\/localhost(:\d+)?\/news\?page=2$/, name)
})

testProxies('the security headers arrive once and unchanged', async (proxy) => {
  const { status, headers } = await sendRequest(proxy, '/')
  assert.equal(status, 200, proxy.name)
  assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d+/, proxy.name)
  assert.match(String(headers['content-security-policy']), /^[^,]*frame-ancestors 'none'[^,]*$/, proxy.name)
  assert.equal(headers['x-content-type-options'], 'nosniff', proxy.name)
})

testProxies('compressed answers pass through as they are, and so does 304', async (proxy, site) => {
  const plain = await sendRequest(proxy, '/news', { headers: { 'accept-encoding': 'identity' } })
  assert.equal(plain.headers['content-encoding'], undefined, proxy.name)
  const [br, gzip] = await Promise.all(
    ['br', 'gzip'].map((encoding) => sendRequest(proxy, '/news', { headers: { 'accept-encoding': encoding } })),
  )
  assert.deepEqual([br?.headers['content-encoding'], gzip?.headers['content-encoding']], ['br', 'gzip'], proxy.name)
  assert.deepEqual(brotliDecompressSync(br?.body ?? ''), gunzipSync(gzip?.body ?? ''), proxy.name)
  const directResponse = await site.get('/news')
  assert.ok(plain.body.toString().includes(/<title>.*?<\/title>/.exec(directResponse.text)?.[0] ?? '?'), proxy.name)
  const etag = br?.headers.etag ?? ''
  const revalidation = await sendRequest(proxy, '/news', {
    headers: { 'accept-encoding': 'br', 'if-none-match': etag },
  })
  assert.deepEqual([revalidation.status, revalidation.body.length], [304, 0], proxy.name)
})

testProxies('uploads of the largest size pass, larger ones are refused with 413', async (proxy) => {
  const sendFiles = async (files: File[]) => {
    const form = new Response(createTicketForm({ screenshots: files }))
    const body = Buffer.from(await form.arrayBuffer())
    return sendRequest(proxy, '/api/submitticket', {
      method: 'POST',
      headers: { 'content-type': form.headers.get('Content-Type') ?? '', 'content-length': String(body.length) },
      body,
    })
  }
  // The site reads these files completely, then refuses them because they are no pictures.
  const junk = (megabytes: number) => createFile('shot.png', Buffer.alloc(megabytes * 1024 * 1024 - 1024))
  const largestUpload = await sendFiles([junk(5), junk(5), junk(5)])
  assert.equal(largestUpload.status, 422, `${proxy.name} ${largestUpload.body}`)
  assert.match(String(largestUpload.headers['content-type']), /json/, proxy.name)
  const oversizedUpload = await sendFiles([junk(10), junk(10)]).catch((error: NodeJS.ErrnoException) => error)
  // A proxy may close the connection while the body is being sent.
  if (oversizedUpload instanceof Error) assert.match(String(oversizedUpload.code), /EPIPE|ECONNRESET/, proxy.name)
  else assert.equal(oversizedUpload.status, 413, proxy.name)
})

testProxies('metrics are not passed on', async (proxy) => {
  for (const path of ['/metrics', '/metrics?x=1', '//metrics', '/%6detrics'])
    assert.notEqual((await sendRequest(proxy, path)).status, 200, `${proxy.name} ${path}`)
})
