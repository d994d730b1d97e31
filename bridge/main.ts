import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { hostname } from 'node:os'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { type Finding, pairBridge } from '#contract/bridge.ts'
import packageJson from '../package.json' with { type: 'json' }
import { FatalError, runAgent } from './agent.ts'
import { checkGame } from './check.ts'
import { type BridgeConfig, ConfigError, readConfig } from './config.ts'
import { moveAccountsIn } from './import.ts'
import { createKeys, type Keys, readKeys, writeKeys } from './keys.ts'
import { drawMark } from './marks.ts'
import { proveForm } from './prove.ts'
import { type CallSite, callUnsigned, createSiteCall, readSite, SiteRefusal } from './site.ts'
import { tryAllWrites } from './try.ts'

/**
 * The command `npm run bridge -- --config FILE` and its variants (BRIDGE-1). The exit code is 2 for wrong arguments or a wrong
 * configuration, 1 for another error, problems of the check or accounts to look at after an import, and 0 otherwise.
 */
const USAGE = `Usage:
  bridge --config FILE                 connect the site to the game
  bridge pair URL CODE --config FILE   pair this machine with the site; the desk's Game page creates the code
  bridge import-accounts --config FILE [--apply]
                                       move the game's accounts in; without --apply, only report what would happen
  bridge check --config FILE [--try]   check whether everything is ready, without writing anything; with --try, also write an
                                       account, a purchase and services, and roll them back
  bridge check --config FILE --prove USERID
                                       ask for this account's password, or read it from standard input, and compare it with
                                       what the game has stored; if they match, remember that the form is right
  bridge check --config FILE --mark GUNUM
                                       draw the mark of this club into the file mark-GUNUM.png, to compare it with the game`

/** The command has wrong arguments. */
class UsageError extends Error {}

/** Runs a command. @returns the exit code @throws UsageError, ConfigError, FatalError, or Error with a sentence for the operator */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(args)
  const [command = 'run', ...rest] = positionals
  if (values.help === true) {
    console.log(USAGE)
    return 0
  }
  if (values.config === undefined) throw new UsageError('Give the configuration file: --config FILE.')
  if (values.apply === true && command !== 'import-accounts')
    throw new UsageError('Only import-accounts takes --apply.')
  if (values.try === true && command !== 'check') throw new UsageError('Only check takes --try.')
  if (values.prove !== undefined && command !== 'check') throw new UsageError('Only check takes --prove.')
  if (values.mark !== undefined && (command !== 'check' || !/^\d{1,9}$/.test(values.mark)))
    throw new UsageError('Only check takes --mark, with the number of a club.')
  if (command === 'import-accounts' && rest.length === 0)
    return importGameAccounts(await readConfig(values.config, process.env), { apply: values.apply === true })
  if (command === 'pair' && rest.length === 2) return pairBridgeWithSite(values.config, rest[0] ?? '', rest[1] ?? '')
  if (command === 'check' && rest.length === 0) {
    const config = await readConfig(values.config, process.env)
    const proofFindings =
      values.prove === undefined ? [] : [await proveForm(config, values.prove, await readSecret(values.prove))]
    const markFindings =
      values.mark === undefined ? [] : [await drawMark(config, Number(values.mark), `mark-${values.mark}.png`)]
    return check(config, [
      ...proofFindings,
      ...markFindings,
      ...(values.try === true ? await tryAllWrites(config) : []),
    ])
  }
  if (command === 'run' && rest.length === 0) return run(await readConfig(values.config, process.env))
  throw new UsageError('There is no such command.')
}

function parseArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        apply: { type: 'boolean' },
        try: { type: 'boolean' },
        prove: { type: 'string' },
        mark: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Prompts for a password without showing it, or reads the first line of standard input. */
async function readSecret(userId: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) stderr.write(`Password of ${userId}: `)
  const hiddenOutput = new Writable({ write: (_chunk, _encoding, callback) => callback() })
  const lines = createInterface({ input: stdin, output: hiddenOutput, terminal: stdin.isTTY === true })
  try {
    const [line] = (await once(lines, 'line')) as [string]
    if (stdin.isTTY) stderr.write('\n')
    return line
  } finally {
    lines.close()
  }
}

async function pairBridgeWithSite(path: string, url: string, code: string): Promise<number> {
  const config = await readConfig(path, process.env)
  const site = readSiteUrl(url)
  if (site !== config.site)
    throw new UsageError(
      `${path} names the site ${config.site}, but you are pairing with ${site}. Use the same address for both.`,
    )
  const { sign, seal, publicSignKey, publicSealKey } = createKeys()
  const hasEarlierKeys = await access(config.keyFile).then(
    () => true,
    () => false,
  )
  const finishKeys = await writeKeys(config.keyFile, { site, sign, seal }).catch((error: Error) => {
    throw new ConfigError(
      `The key file ${config.keyFile} cannot be written, so the code was not used: ${error.message}`,
    )
  })
  const paired = await callUnsigned(site, pairBridge, {
    code,
    name: hostname().slice(0, 80),
    sign_key: publicSignKey,
    seal_key: publicSealKey,
    password_form: config.passwordForm,
  }).catch((error: unknown) => {
    throw error instanceof SiteRefusal && error.reason === 'password-form' ? new ConfigError(error.message) : error
  })
  await finishKeys(paired.bridge)
  console.log(
    `Paired with ${paired.title} as bridge ${paired.bridge}. The keys are in ${config.keyFile}; do not share that file.`,
  )
  if (hasEarlierKeys)
    console.log('The keys of an earlier pairing were replaced. Revoke the earlier bridge at the desk.')
  if (paired.site !== site)
    console.log(`The site’s own address is ${paired.site}. If requests are refused, set "site" to it and pair again.`)
  return 0
}

function readSiteUrl(url: string): string {
  try {
    return readSite(url)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const createSignedCall = (config: BridgeConfig, { bridge, sign }: Keys): CallSite =>
  createSiteCall({ site: config.site, bridge, signKey: sign, instance: randomUUID() })

/** Reads the keys, which must be for the configured site. @throws Error with a sentence for the operator */
async function readOwnKeys(config: BridgeConfig): Promise<Keys> {
  const keys = await readKeys(config.keyFile)
  if (keys.site !== config.site)
    throw new Error(
      `This bridge is paired with ${keys.site}, but the configuration names ${config.site}. Pair it again.`,
    )
  return keys
}

async function importGameAccounts(config: BridgeConfig, { apply }: { apply: boolean }): Promise<number> {
  const callSite = createSignedCall(config, await readOwnKeys(config))
  const hasFindings = await moveAccountsIn(config, { callSite, apply, print: (line) => console.log(line) })
  return hasFindings ? 1 : 0
}

/** Prints the findings of a check. @param extraFindings those of `--prove`, `--mark` and `--try` @returns the exit code */
async function check(config: BridgeConfig, extraFindings: readonly Finding[]): Promise<number> {
  const keys = await readOwnKeys(config).catch((error: Error) => error)
  const findings = await checkGame(config, keys instanceof Error ? undefined : createSignedCall(config, keys))
  findings.push(...extraFindings)
  if (keys instanceof Error) findings.unshift({ level: 'problem', what: keys.message, advice: 'Then run this again.' })
  const labels = { good: 'ok     ', note: 'note   ', problem: 'PROBLEM' }
  for (const { level, what, advice } of findings) {
    console.log(`${labels[level]} ${what}`)
    for (const line of advice === '' ? [] : advice.split('\n')) console.log(`          ${line}`)
  }
  const problems = findings.filter(({ level }) => level === 'problem').length
  console.log(
    problems === 0 ? '\nEverything is ready.' : `\n${problems === 1 ? '1 problem' : `${problems} problems`} to fix.`,
  )
  return problems === 0 ? 0 : 1
}

async function run(config: BridgeConfig): Promise<number> {
  const keys = await readOwnKeys(config)
  const callSite = createSignedCall(config, keys)
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const) process.once(signal, () => stopping.abort())
  const print = (line: string) => console.log(`${new Date().toISOString()} ${line}`)
  print(`Bridge ${packageJson.version} to ${config.site}`)
  await runAgent({
    config,
    callSite,
    sealKey: keys.seal,
    version: packageJson.version,
    print,
    signal: stopping.signal,
    check: () => checkGame(config, callSite),
  })
  print('Stopped.')
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = 2
  } else {
    console.error((error as Error).message)
    process.exitCode = error instanceof ConfigError ? 2 : 1
    if (!(error instanceof FatalError || error instanceof ConfigError) && process.env.DEBUG) console.error(error)
  }
}
