import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import { PASSWORD_TEXTS } from '#contract/accounts.ts'
import {
  FORM_HASHES,
  formatSealContext,
  type PasswordForm,
  SEAL_FORMAT,
  type SealContext,
} from '#contract/bridge-sealing.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { createInputRefusal } from '#server/errors.ts'

/** Returns a password as the game stores it (GAME-5). */
export function encodePassword(form: PasswordForm, password: string): string {
  if (form === 'plain') return password
  const { hash, letters, length } = FORM_HASHES[form]
  const hex = createHash(hash).update(password).digest('hex').slice(0, length)
  return letters === 'upper' ? hex.toUpperCase() : hex
}

/** Seals a text for the holder of one X25519 key: ephemeral key, HKDF-SHA-256, AES-256-GCM with the context authenticated. */
export function sealText(text: string, context: SealContext): string {
  const { publicKey: ephemeral, privateKey } = generateKeyPairSync('x25519')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: context.key }, format: 'jwk' })
  const ephemeralBytes = Buffer.from(String(ephemeral.export({ format: 'jwk' }).x), 'base64url')
  const salt = Buffer.concat([ephemeralBytes, Buffer.from(context.key, 'base64url')])
  const key = hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), salt, SEAL_FORMAT.info, 32)
  const nonce = randomBytes(SEAL_FORMAT.nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), nonce)
  cipher.setAAD(Buffer.from(formatSealContext(context)))
  return Buffer.concat([
    ephemeralBytes,
    nonce,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64url')
}

/** Returns whether texts can be sealed for a key. Some keys of 32 bytes are no valid X25519 keys. */
export function isSealKey(key: string): boolean {
  try {
    sealText('', { account: 0, purpose: 'password', key, version: 0 })
    return true
  } catch {
    return false
  }
}

/** The bridge for which passwords are sealed. */
type SealingBridge = { bridge: number; seal_key: string; password_form: PasswordForm }

/** Selects the active or last active bridge with a password form; undefined if there is none, or if its key is invalid. */
async function selectSealingBridge(db: Db): Promise<SealingBridge | undefined> {
  const { rows } = await sql<SealingBridge>`
    select b.bridge, b.seal_key, b.password_form from bridges b left join bridge_lease l on l.bridge = b.bridge
    where b.revoked_at is null and b.password_form <> ''
    order by l.bridge is null, b.seen_at desc nulls last limit 1`.execute(db)
  return rows.find(({ seal_key }) => isSealKey(seal_key))
}

/** Returns a version above all earlier ones, including those from before a restore of the site. */
const getNextVersion = (lastVersion: number, now: Date) => Math.max(lastVersion + 1, now.getTime())

/** Returns whether an account is an operator's. Locks it, so the answer does not change before the transaction ends. */
async function isStaffAccount(tx: Db, userNum: number): Promise<boolean> {
  const { user_type } = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('user_type')
    .forShare()
    .executeTakeFirstOrThrow()
  return user_type >= ADMIN_USER_TYPE
}

/**
 * Seals a player's new passwords for the game, in the transaction that sets them, and replaces earlier sealed ones. The
 * bridge creates a missing account in the game with them. Staff get a random password instead, because their account in the
 * game has a separate password. The caller holds the account's lock.
 */
export async function sealGamePasswords(tx: Db, userNum: number, passwords: Passwords, now: Date): Promise<void> {
  if (await isStaffAccount(tx, userNum)) return sealRandomPassword(tx, userNum, now)
  const bridge = await selectSealingBridge(tx)
  if (passwords.password !== undefined) await clearConfirmation(tx, userNum)
  if (bridge !== undefined) {
    await sealForGame(tx, bridge, { userNum, passwords, isSitePassword: true }, now)
    return
  }
  const purposes = Object.keys(passwords).map((key) => PURPOSES[key as keyof typeof PURPOSES])
  if (purposes.length > 0)
    await tx.deleteFrom('game_forms').where('user_num', '=', userNum).where('purpose', 'in', purposes).execute()
}

/** Clears the bridge's confirmation of the password, because the game has to get another one. */
const clearConfirmation = (tx: Db, userNum: number) =>
  tx
    .updateTable('game_accounts')
    .set({ confirmed_by: null, confirmed_form: '' })
    .where('user_num', '=', userNum)
    .execute()

type Passwords = { password?: string; second?: string }
/** `isSitePassword` is false for a password that only the account in the game has. */
type PasswordsToSeal = { userNum: number; passwords: Passwords; isSitePassword: boolean }

/**
 * Seals and stores passwords for a bridge. @returns false if the ID exists in the game, so the player must prove the old
 * password
 */
async function sealForGame(
  tx: Db,
  bridge: SealingBridge,
  { userNum, passwords, isSitePassword }: PasswordsToSeal,
  now: Date,
): Promise<boolean> {
  const account = await lockGameAccount(tx, userNum, now)
  if (account.state === 'taken') return false
  for (const key of ['password', 'second'] as const) {
    const text = passwords[key]
    if (text === undefined) continue
    const purpose = PURPOSES[key]
    const column = key === 'password' ? 'password_version' : 'second_version'
    const version = getNextVersion(account[column], now)
    const sealed = sealForBridge(bridge, { account: userNum, purpose, version }, text)
    await storeSealedPassword(tx, {
      user_num: userNum,
      purpose,
      version,
      made_at: now,
      is_site_password: isSitePassword,
      ...sealed,
    })
    await tx
      .updateTable('game_accounts')
      .set({ [column]: version, retry_at: null })
      .where('user_num', '=', userNum)
      .execute()
  }
  return true
}

/**
 * Seals a random password for a staff member's account in the game, unless the game has a separate one already or the
 * bridge can fetch one. A password that another bridge has written stays, because a new pairing must not replace it.
 */
export async function sealRandomPassword(tx: Db, userNum: number, now: Date): Promise<void> {
  const bridge = await selectSealingBridge(tx)
  if (bridge === undefined) return
  const { rows } = await sql`
    select from game_accounts g where g.user_num = ${userNum} and (
      g.state = 'taken' or (g.state = 'linked' and g.confirmed_by is not null) or ${isSealedFor(bridge)})`.execute(tx)
  if (rows.length > 0) return
  // 20 characters are the most that games accept.
  const password = randomBytes(15).toString('base64url')
  await sealForGame(tx, bridge, { userNum, passwords: { password }, isSitePassword: false }, now)
}

/**
 * Seals the password that a staff member has set for the game. The caller holds the account's lock.
 *
 * @returns false without a bridge, or without an account in the game that it may change
 */
export async function sealStaffPassword(tx: Db, userNum: number, password: string, now: Date): Promise<boolean> {
  const bridge = await selectSealingBridge(tx)
  if (bridge === undefined) return false
  await clearConfirmation(tx, userNum)
  return sealForGame(tx, bridge, { userNum, passwords: { password }, isSitePassword: false }, now)
}

/** Returns whether the game may have received the account's current password. Triggers maintain this value (011-game.sql). */
export async function mayGameKnowPassword(db: Db, userNum: number): Promise<boolean> {
  const row = await db
    .selectFrom('game_accounts')
    .where('user_num', '=', userNum)
    .where('knows_password', '=', true)
    .select('user_num')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether there is a bridge for which passwords can be sealed. */
export const canSealPasswords = async (db: Db): Promise<boolean> => (await selectSealingBridge(db)) !== undefined

/**
 * Refuses new passwords with characters that the game may read differently, if a bridge is paired (PASS-7).
 *
 * @param passwords the passwords by field name
 * @throws Refusal 422
 */
export async function assertGameCanRead(db: Db, passwords: Record<string, string>): Promise<void> {
  const [field] = Object.entries(passwords).find(([, password]) => !/^[\x20-\x7e]*$/.test(password)) ?? []
  if (field !== undefined && (await canSealPasswords(db)))
    throw createInputRefusal({ [field]: [PASSWORD_TEXTS.gameCharacters] })
}

const PURPOSES = { password: 'password', second: 'second-password' } as const

/** Locks the row about a player's account in the game. Creates a missing row, and resets the row of a deleted account. */
async function lockGameAccount(tx: Db, userNum: number, now: Date) {
  await tx
    .insertInto('game_accounts')
    .values({
      user_num: userNum,
      state: 'creating',
      confirmed_by: null,
      block_due_at: null,
      handed_by: null,
      retry_at: null,
      changed_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('game_accounts')
    .where('user_num', '=', userNum)
    .select(['state', 'password_version', 'second_version'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (row.state === 'gone')
    await tx
      .updateTable('game_accounts')
      .set({ state: 'creating', problem: '', detail: '', changed_at: now })
      .where('user_num', '=', userNum)
      .execute()
  return row
}

/** Encodes a password in the bridge's form, and seals it for the bridge. */
function sealForBridge(
  { bridge, seal_key, password_form: form }: SealingBridge,
  context: Omit<SealContext, 'key'>,
  password: string,
) {
  return { bridge, form, sealed: sealText(encodePassword(form, password), { ...context, key: seal_key }) }
}

type SealedPassword = Insertable<Schema['game_forms']>

const storeSealedPassword = (tx: Db, form: SealedPassword) =>
  tx
    .insertInto('game_forms')
    .values(form)
    .onConflict((conflict) => conflict.columns(['user_num', 'purpose']).doUpdateSet({ ...form }))
    .execute()

/** Returns the SQL condition that a password of the game account `g` is sealed for a bridge, in its form. */
const isSealedFor = ({ bridge, password_form }: SealingBridge) => sql<boolean>`exists (
  select from game_forms f where f.user_num = g.user_num and f.purpose = 'password'
    and f.bridge = ${bridge} and f.form = ${password_form})`

/** Returns the bridge if it lacks an account's password: it has not confirmed the password and cannot fetch it. */
async function findLackingBridge(db: Db, userNum: number): Promise<SealingBridge | undefined> {
  const bridge = await selectSealingBridge(db)
  if (bridge === undefined) return undefined
  const { rows } = await sql`
    select from game_accounts g where g.user_num = ${userNum} and (
      g.state = 'taken'
      or (g.state = 'linked' and g.confirmed_by = ${bridge.bridge} and g.confirmed_form = ${bridge.password_form})
      or ${isSealedFor(bridge)})`.execute(db)
  return rows.length === 0 ? bridge : undefined
}

/** Seals the password of a completed login, if the bridge lacks it. Call this in the login's transaction. */
export async function sealPasswordAtLogin(tx: Db, userNum: number, password: string, now: Date): Promise<void> {
  if ((await findLackingBridge(tx, userNum)) !== undefined) await sealGamePasswords(tx, userNum, { password }, now)
}

/** Seals the password of a player's login that waits for its second factor, if the bridge lacks it. */
export async function sealPasswordDraft(
  db: Db,
  { userNum, challengeHash, password, now }: { userNum: number; challengeHash: string; password: string; now: Date },
): Promise<void> {
  const bridge = await findLackingBridge(db, userNum)
  if (bridge === undefined) return
  await db.transaction().execute(async (tx) => {
    if (await isStaffAccount(tx, userNum)) return
    const gameAccount = await tx
      .selectFrom('game_accounts')
      .where('user_num', '=', userNum)
      .select('password_version')
      .executeTakeFirst()
    const version = getNextVersion(gameAccount?.password_version ?? 0, now)
    const sealed = sealForBridge(bridge, { account: userNum, purpose: 'password', version }, password)
    await tx
      .insertInto('game_form_drafts')
      .values({ challenge_hash: challengeHash, version, made_at: now, ...sealed })
      .execute()
  })
}

/** Selects the password that was sealed for a login that waits for its second factor. */
export const selectPasswordDraft = (tx: Db, challengeHash: string) =>
  tx.selectFrom('game_form_drafts').where('challenge_hash', '=', challengeHash).selectAll().executeTakeFirst()

/**
 * Stores the password that was sealed before the second factor, now that the login is complete, unless there is a newer
 * one. For staff, whose password is never sealed, it ensures a password for their account in the game.
 */
export async function storeDraftAtLogin(
  tx: Db,
  userNum: number,
  draft: Awaited<ReturnType<typeof selectPasswordDraft>>,
  now: Date,
): Promise<void> {
  if (await isStaffAccount(tx, userNum)) return sealRandomPassword(tx, userNum, now)
  if (draft === undefined) return
  const lackingBridge = await findLackingBridge(tx, userNum)
  if (lackingBridge?.bridge !== draft.bridge || lackingBridge.password_form !== draft.form) return
  const account = await lockGameAccount(tx, userNum, now)
  if (account.state === 'taken' || account.password_version >= draft.version) return
  const { challenge_hash: _, ...form } = draft
  await storeSealedPassword(tx, { ...form, user_num: userNum, purpose: 'password', is_site_password: true })
  await tx
    .updateTable('game_accounts')
    .set({ password_version: draft.version, retry_at: null })
    .where('user_num', '=', userNum)
    .execute()
}
