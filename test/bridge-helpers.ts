import { randomUUID } from 'node:crypto'
import type { BridgeConfig } from '#bridge/config.ts'
import { createKeys } from '#bridge/keys.ts'
import { type CallSite, callUnsigned, createSiteCall } from '#bridge/site.ts'
import { type DatabaseIdentity, pairBridge, reportWork, startBridge, takeWork } from '#contract/bridge.ts'
import type { PasswordForm, SealPurpose } from '#contract/bridge-sealing.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { runStaffCommand } from '#server/commands-staff.ts'
import { sealText } from '#server/features/bridge/game-passwords.ts'
import { insertRows } from './factories.ts'
import type { startGame } from './games.ts'
import { listenOnPort, type TestApp } from './helpers.ts'

/** Creates a pairing code with `npm run staff -- bridge-code [FORM]`. */
export async function createPairingCode(site: TestApp, form?: PasswordForm): Promise<string> {
  const commandDeps = { db: site.db, now: site.now(), site: { appName: 'Test', publicUrl: site.publicUrl } }
  const { lines } = await runStaffCommand(commandDeps, form === undefined ? ['bridge-code'] : ['bridge-code', form])
  return lines.at(-1) ?? ''
}

/** Serves the site on a real port for agents. @returns its address */
export const listenForBridges = async (site: TestApp) => `http://127.0.0.1:${(await listenOnPort(site)).port}`

/** Returns the configuration of a bridge between a game's database and the site. */
export function createBridgeConfig(
  game: Pick<Awaited<ReturnType<typeof startGame>>, 'preset' | 'urls'>,
  dialect: GameKind,
  site: string,
): BridgeConfig {
  return {
    site,
    keyFile: '',
    preset: game.preset,
    dialect,
    urls: game.urls,
    userUid: 'UserName',
    passwordForm: 'plain',
    names: {},
    account: {},
    statements: {},
  }
}

/** Pairs new keys with the site. @returns the bridge's id and keys */
export async function pairKeys(site: TestApp, address: string) {
  const keys = createKeys()
  const code = await createPairingCode(site)
  const { bridge } = await callUnsigned(address, pairBridge, {
    code,
    name: 'Test server',
    sign_key: keys.publicSignKey,
    seal_key: keys.publicSealKey,
  })
  return { bridge, ...keys }
}

/** Seals a password in plain form, as the site does. */
export const sealPlainPassword = (
  key: string,
  {
    account,
    password,
    version,
    purpose = 'password',
  }: { account: number; password: string; version: number; purpose?: SealPurpose },
) => ({ version, form: 'plain' as const, sealed: sealText(password, { account, purpose, key, version }) })

type CopyState = { epoch: string; counter: number; identity?: DatabaseIdentity; highest?: number }

/** Creates an agent without a game. The test chooses what it reports about units. */
export async function createAgentDouble(site: TestApp, address: string) {
  const keys = await pairKeys(site, address)
  const copy: CopyState = { epoch: randomUUID(), counter: 0 }
  const callAs = (instance: string): CallSite =>
    createSiteCall({ site: address, bridge: keys.bridge, signKey: keys.sign, instance, now: site.now })
  const call = callAs(randomUUID())
  const start = (callSite = call) =>
    callSite(startBridge, {
      ...copy,
      version: '1',
      system: 'test',
      preset: 'ran-mariadb',
      password_form: 'plain',
    })
  const EMPTY_REPORT = { delivered: [], failed: [], cancelled: [], kept: [], flags: [], looked: null }
  type Report = Partial<Omit<Parameters<typeof call<typeof reportWork>>[1], keyof CopyState>>
  return {
    ...keys,
    copy,
    call,
    callAs,
    start,
    takeWork: (callSite = call, doing: number[] = []) => callSite(takeWork, { ...copy, wait_ms: 0, doing }),
    report: (report: Report, callSite = call) => callSite(reportWork, { ...copy, ...EMPTY_REPORT, ...report }),
  }
}

let lastGameUserNum = 1000

/** Links an account to a game account, by default to a number without a row in the game. @returns the game's UserNum */
export async function linkAccount(site: TestApp, userNum: number, gameUserNum = ++lastGameUserNum): Promise<number> {
  await insertRows(site.db, 'game_links', {
    user_num: userNum,
    game_user_num: gameUserNum,
    proof: 'created',
    linked_at: site.now(),
  })
  return gameUserNum
}
