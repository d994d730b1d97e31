import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type PasswordForm, SEAL, type SealContext, sealContext } from '#contract/bridge-sealing.ts'
import { SEALED_FORMS_KEPT_MS } from '#contract/limits.ts'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'

/** A password as the game keeps it (DECISIONS §6). */
export function writeForm(form: PasswordForm, password: string): string {
  if (form === 'plain') return password
  const hash = createHash('md5').update(password).digest('hex').toUpperCase()
  return form === 'md5-upper' ? hash : hash.slice(0, form === 'md5-upper-19' ? 19 : 20)
}

/** Seals a text for the holder of one X25519 key: ephemeral key, HKDF-SHA-256, AES-256-GCM with the context authenticated. */
export function sealText(text: string, context: SealContext): string {
  const { publicKey: ephemeral, privateKey } = generateKeyPairSync('x25519')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: context.key }, format: 'jwk' })
  const own = Buffer.from(String(ephemeral.export({ format: 'jwk' }).x), 'base64url')
  const salt = Buffer.concat([own, Buffer.from(context.key, 'base64url')])
  const key = hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), salt, SEAL.info, 32)
  const nonce = randomBytes(SEAL.nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), nonce)
  cipher.setAAD(Buffer.from(sealContext(context)))
  return Buffer.concat([own, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

/** Whether texts can be sealed for a key: not everything of 32 bytes can be agreed with. */
export function isSealKey(key: string): boolean {
  try {
    sealText('', { account: 0, purpose: 'password', key, version: 0 })
    return true
  } catch {
    return false
  }
}

type PresentBridge = { bridge: number; seal_key: string; password_form: PasswordForm }

/** The bridge that works, or that worked last; none without one that has told its passwords' form, or with a key that is none. */
async function selectPresentBridge(db: Db): Promise<PresentBridge | undefined> {
  const { rows } = await sql<PresentBridge>`
    select b.bridge, b.seal_key, b.password_form from bridges b left join bridge_lease l on l.bridge = b.bridge
    where b.revoked_at is null and b.password_form <> ''
    order by l.bridge is null, b.seen_at desc nulls last limit 1`.execute(db)
  return rows.find(({ seal_key }) => isSealKey(seal_key))
}

/** A version that is newer than every one before, also after a backup of the site was restored. */
const nextVersion = (last: number, now: Date) => Math.max(last + 1, now.getTime())

/**
 * Seals a player's new passwords for the game, in the transaction that sets them. What was sealed before is replaced. An
 * account of the site that has none in the game gets it with them. The caller holds the account's lock.
 */
export async function keepForms(
  tx: Db,
  userNum: number,
  passwords: { password?: string; second?: string },
  now: Date,
): Promise<void> {
  const bridge = await selectPresentBridge(tx)
  // What the bridge confirmed is no longer the password, so the next login seals it.
  if (passwords.password !== undefined)
    await tx
      .updateTable('game_accounts')
      .set({ confirmed_by: null, confirmed_form: '' })
      .where('user_num', '=', userNum)
      .execute()
  if (bridge === undefined) {
    const known = Object.keys(passwords).map((key) => PURPOSE_OF[key as keyof typeof PURPOSE_OF])
    if (known.length > 0)
      await tx.deleteFrom('game_forms').where('user_num', '=', userNum).where('purpose', 'in', known).execute()
    return
  }
  const account = await claimGameAccount(tx, userNum, now)
  if (account.state === 'taken') return
  for (const key of ['password', 'second'] as const) {
    const text = passwords[key]
    if (text === undefined) continue
    const purpose = PURPOSE_OF[key]
    const column = key === 'password' ? 'password_version' : 'second_version'
    const version = nextVersion(account[column], now)
    const sealed = sealForm(bridge, { account: userNum, purpose, version }, text)
    await insertForm(tx, { user_num: userNum, purpose, version, made_at: now, ...sealed })
    await tx
      .updateTable('game_accounts')
      .set({ [column]: version, retry_at: null })
      .where('user_num', '=', userNum)
      .execute()
  }
}

const PURPOSE_OF = { password: 'password', second: 'second-password' } as const

/** The row of the player's account in the game, locked; made where there is none, and begun again where the game's is gone. */
async function claimGameAccount(tx: Db, userNum: number, now: Date) {
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
    .onConflict((on) => on.doNothing())
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

function sealForm(
  { bridge, seal_key, password_form: form }: PresentBridge,
  context: Omit<SealContext, 'key'>,
  password: string,
) {
  return { bridge, form, sealed: sealText(writeForm(form, password), { ...context, key: seal_key }) }
}

type KeptForm = Selectable<Schema['game_forms']>

const insertForm = (tx: Db, form: KeptForm) =>
  tx
    .insertInto('game_forms')
    .values(form)
    .onConflict((on) => on.columns(['user_num', 'purpose']).doUpdateSet({ ...form }))
    .execute()

/** The bridge that lacks the present password of an account; none where it has confirmed it, or can fetch it already. */
async function findLackingBridge(db: Db, userNum: number): Promise<PresentBridge | undefined> {
  const bridge = await selectPresentBridge(db)
  if (bridge === undefined) return undefined
  const { rows } = await sql`
    select from game_accounts g where g.user_num = ${userNum} and (
      g.state = 'taken'
      or (g.state = 'linked' and g.confirmed_by = ${bridge.bridge} and g.confirmed_form = ${bridge.password_form})
      or exists (select from game_forms f where f.user_num = g.user_num and f.purpose = 'password'
        and f.bridge = ${bridge.bridge} and f.form = ${bridge.password_form}))`.execute(db)
  return rows.length === 0 ? bridge : undefined
}

/** Seals the password of a login that is whole, unless the bridge has it. In the login's transaction. */
export async function keepFormOfLogin(tx: Db, userNum: number, password: string, now: Date): Promise<void> {
  if ((await findLackingBridge(tx, userNum)) !== undefined) await keepForms(tx, userNum, { password }, now)
}

/** Seals the password of a login that waits for its second factor, unless the bridge has it. */
export async function keepDraft(
  db: Db,
  { userNum, challengeHash, password, now }: { userNum: number; challengeHash: string; password: string; now: Date },
): Promise<void> {
  const bridge = await findLackingBridge(db, userNum)
  if (bridge === undefined) return
  const known = await db
    .selectFrom('game_accounts')
    .where('user_num', '=', userNum)
    .select('password_version')
    .executeTakeFirst()
  const version = nextVersion(known?.password_version ?? 0, now)
  const sealed = sealForm(bridge, { account: userNum, purpose: 'password', version }, password)
  await db
    .insertInto('game_form_drafts')
    .values({ challenge_hash: challengeHash, version, made_at: now, ...sealed })
    .execute()
}

export const selectDraft = (tx: Db, challengeHash: string) =>
  tx.selectFrom('game_form_drafts').where('challenge_hash', '=', challengeHash).selectAll().executeTakeFirst()

/** Keeps what was sealed before the second factor, now that the login is whole; not if there is a newer one. */
export async function keepDraftOfLogin(
  tx: Db,
  userNum: number,
  draft: NonNullable<Awaited<ReturnType<typeof selectDraft>>>,
  now: Date,
): Promise<void> {
  const lacking = await findLackingBridge(tx, userNum)
  if (lacking?.bridge !== draft.bridge || lacking.password_form !== draft.form) return
  const account = await claimGameAccount(tx, userNum, now)
  if (account.state === 'taken' || account.password_version >= draft.version) return
  const { challenge_hash: _, ...form } = draft
  await insertForm(tx, { ...form, user_num: userNum, purpose: 'password' })
  await tx
    .updateTable('game_accounts')
    .set({ password_version: draft.version, retry_at: null })
    .where('user_num', '=', userNum)
    .execute()
}

/** Erases sealed passwords that no bridge has fetched for thirty days. */
export async function sweepForms(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - SEALED_FORMS_KEPT_MS)
  await deleteOld(db, { table: 'game_forms', column: 'made_at', before }, signal)
}
