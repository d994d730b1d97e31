import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE, USER_ID_MAX, USER_ID_MIN } from '#contract/limits.ts'
import {
  type getGameAccount,
  type getTakeOver,
  linkGame as linkGameCall,
  TAKE_OVER_TEXTS,
  takeOverAccount as takeOverCall,
} from '#contract/take-over.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import { bookBalance } from '#server/features/bridge/balances.ts'
import { GAME_BLOCK_REASON } from '#server/features/bridge/game-blocks.ts'
import { canSealPasswords, encodePassword } from '#server/features/bridge/game-passwords.ts'
import type { Caller } from '#server/http/client-address.ts'
import type { Session } from '#server/http/session.ts'
import { IMPORTED_DOMAIN } from '#server/mail/outbox.ts'
import { endReservation, isEmailTaken } from './email-change.ts'
import { recordEvent } from './events.ts'
import { hashPassword, hashSecretAnswer, listUnicodeVariants, verifyPassword } from './passwords.ts'
import { endMailedLinks, selectAccount, selectForLogin } from './queries.ts'
import { sendVerification } from './verification.ts'

/** Letters, digits and underscores, within the lengths of a user ID of this site. */
const USER_ID_PATTERN = new RegExp(`^[A-Za-z0-9_]{${USER_ID_MIN},${USER_ID_MAX}}$`)

/**
 * Selects an imported game account by its ID in the game, if its player has not logged in here yet or has not entered the
 * details of the account. Other players log in with the ID of their account on the site.
 */
export async function selectImportedAccount(db: Db, userId: string) {
  return db
    .selectFrom('game_imports as i')
    .leftJoin('accounts as a', 'a.user_num', 'i.user_num')
    .where(sql`lower(i.user_id)`, '=', sql<string>`lower(${userId})`)
    .where((eb) => eb.or([eb('i.user_num', 'is', null), eb('a.claim_step', '=', 'details')]))
    .selectAll('i')
    .executeTakeFirst()
}

type LoginAccount = NonNullable<Awaited<ReturnType<typeof selectForLogin>>>
type ImportedAccount = NonNullable<Awaited<ReturnType<typeof selectImportedAccount>>>

/** Returns the Unicode variant of a password that matches the game's password; undefined when none does. @throws Refusal 503 */
export async function findImportedVariant(
  { form, form_hash }: Pick<ImportedAccount, 'form' | 'form_hash'>,
  password: string,
): Promise<string | undefined> {
  for (const variant of listUnicodeVariants(password))
    if (await verifyPassword(form_hash, encodePassword(form, variant))) return variant
  return undefined
}

/**
 * Creates the account of a player who proved the old password of the game. Stores the argon2id hash of the password and
 * the link to the game account, and imports a block and the balance that was removed from the game. The player has to
 * complete the account afterwards. Of two concurrent calls one creates the account, and the other compares its password with
 * that of the new account.
 *
 * @returns undefined when another call created the account with another password
 */
export async function createImportedAccount(
  deps: Deps,
  importedAccount: ImportedAccount,
  password: string,
  caller: Caller,
): Promise<LoginAccount | undefined> {
  const { db, now } = deps
  const password_hash = await hashPassword(password)
  const at = now()
  const userNum = await db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('game_imports')
      .where('game_user_num', '=', importedAccount.game_user_num)
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.user_num !== null) return row.user_num
    const { user_num } = await tx
      .insertInto('accounts')
      .values({
        user_id: await findFreeUserId(tx, row),
        user_email: `unclaimed_${row.game_user_num}@${IMPORTED_DOMAIN}`,
        first_name: '',
        last_name: '',
        password_hash,
        secret_question: 1,
        secret_answer_hash: '!',
        claim_step: 'details',
        created_at: at,
      })
      .returning('user_num')
      .executeTakeFirstOrThrow()
    await linkImportedAccount(tx, {
      userNum: user_num,
      gameUserNum: row.game_user_num,
      gameUserId: row.user_id,
      gameKnowsPassword: true,
      now: at,
    })
    if (row.blocked && (row.blocked_until === null || row.blocked_until > at))
      await tx
        .insertInto('account_blocks')
        .values({
          user_num,
          reason: GAME_BLOCK_REASON,
          starts_at: at,
          ends_at: row.blocked_until,
          blocked_by: null,
          lifted_at: null,
          lifted_by: null,
          in_game: true,
        })
        .execute()
    await recordEvent(tx, { userNum: user_num, kind: 'moved-in', caller, now: at })
    return user_num
  })
  const account = await selectForLogin(db, { userNum }, caller, at)
  return account !== undefined && (await verifyPassword(account.password_hash, password)) ? account : undefined
}

/** Returns the ID in the game, or a free ID if that one breaks the rules of this site or is taken. */
async function findFreeUserId(tx: Db, { user_id, game_user_num }: ImportedAccount): Promise<string> {
  const candidates = [...(USER_ID_PATTERN.test(user_id) ? [user_id] : []), `player_${game_user_num}`]
  for (;;) {
    const { rows } = await sql<{ taken: string }>`
      select name as taken from unnest(${candidates}::text[]) as name
      where exists (select from accounts a where lower(a.user_id) = lower(name))
        or (exists (select from erasures) and exists (select from erasures where user_id_hash = erasure_hash(lower(name))))`.execute(
      tx,
    )
    const freeName = candidates.find((name) => !rows.some(({ taken }) => taken === name))
    if (freeName !== undefined) return freeName
    // The last choice is random, because anyone could register predictable names first.
    candidates.splice(0, candidates.length, `player_${randomInt(1e12)}`)
  }
}

/** `gameKnowsPassword`: whether the game may know the password that the account has on the site. */
type ImportedLink = { userNum: number; gameUserNum: number; gameUserId: string; gameKnowsPassword: boolean; now: Date }

/** Links an account to a game account whose old password was correct, and books the imported balance. */
async function linkImportedAccount(
  tx: Db,
  { userNum, gameUserNum, gameUserId, gameKnowsPassword, now }: ImportedLink,
): Promise<void> {
  await tx
    .updateTable('game_imports')
    .set({ user_num: userNum, form_hash: '' })
    .where('game_user_num', '=', gameUserNum)
    .execute()
  await tx
    .insertInto('game_links')
    .values({ user_num: userNum, game_user_num: gameUserNum, proof: 'password', linked_at: now })
    .execute()
  const linkValues = {
    state: 'linked',
    game_user_id: gameUserId,
    problem: '',
    detail: '',
    knows_password: gameKnowsPassword,
    changed_at: now,
  } as const
  // A block that was set on the site is sent to the game now.
  const block_due_at = sql<Date | null>`(select timestamptz 'epoch' from accounts where user_num = ${userNum} and blocked_at is not null)`
  await tx
    .insertInto('game_accounts')
    .values({ user_num: userNum, ...linkValues, block_due_at, confirmed_by: null, handed_by: null, retry_at: null })
    .onConflict((conflict) =>
      conflict.column('user_num').doUpdateSet({ ...linkValues, block_due_at, confirmed_by: null }),
    )
    .execute()
  await bookBalance(tx, gameUserNum, now)
}

/** Returns the step that an imported player has to complete next, null for none, with the data of its form. */
export async function readTakeOver({ db }: Deps, { userNum }: Session): Promise<CallAnswer<typeof getTakeOver>> {
  const account = await selectAccount(db, userNum)
  const gameUserId = await selectGameUserId(db, userNum)
  const { claim_step: step, user_email } = account
  return {
    step,
    game_user_id: gameUserId,
    needs_user_id: step !== null && needsUserId(account.user_id, gameUserId),
    email: step === 'email' ? user_email : '',
  }
}

async function selectGameUserId(db: Db, userNum: number): Promise<string> {
  const row = await db.selectFrom('game_imports').where('user_num', '=', userNum).select('user_id').executeTakeFirst()
  return row?.user_id ?? ''
}

/** Returns whether the player still has to choose a user ID. */
const needsUserId = (userId: string, gameUserId: string) =>
  userId.toLowerCase() !== gameUserId.toLowerCase() && /^player_-?\d+_?$/.test(userId)

/**
 * Stores the details of an imported account, and mails the link that completes it. Until the link is opened, the player
 * can call this again with another address.
 *
 * @throws Refusal 409 when the account is complete, 422 for invalid details, 429
 */
export async function takeOverAccount(
  deps: Deps,
  session: Session,
  form: ValidInput<typeof takeOverCall>,
  caller: Caller,
): Promise<string> {
  const { db, now, limits } = deps
  const { userNum } = session
  await limits.consume('claims', userNum)
  if (await isEmailTaken(db, form.userEmail, now(), userNum)) throw refuse(takeOverCall, 'emailTaken')
  const secret_answer_hash = await hashSecretAnswer(form.secretAnswer)
  const at = now()
  const transaction = db.transaction().execute(async (tx) => {
    const account = await selectAccount(tx, userNum, 'for change')
    if (account.claim_step === null) throw refuse(takeOverCall, 'claimed')
    const isIdNeeded = needsUserId(account.user_id, await selectGameUserId(tx, userNum))
    if (isIdNeeded && form.userId === undefined) throw refuse(takeOverCall, 'userIdRequired')
    const user_id = isIdNeeded && form.userId !== undefined ? form.userId : account.user_id
    if (isIdNeeded && (await isImportedUserId(tx, user_id))) throw refuse(takeOverCall, 'userIdTaken')
    await endReservation(tx, form.userEmail, at)
    await tx
      .updateTable('accounts')
      .set({
        user_id,
        user_email: form.userEmail,
        first_name: form.userFirstName,
        last_name: form.userLastName,
        secret_question: form.secretQuestion,
        secret_answer_hash,
        claim_step: 'email',
      })
      .where('user_num', '=', userNum)
      .execute()
    await endMailedLinks(tx, userNum, ['verify-email', 'reset-password'])
    await sendVerification(tx, { userNum, userId: user_id, email: form.userEmail }, deps)
    await recordEvent(tx, { userNum, kind: 'claimed', caller, now: at })
  })
  await transaction.catch(
    refuseViolations(takeOverCall, { accounts_user_id_key: 'userIdTaken', accounts_user_email_key: 'emailTaken' }),
  )
  return TAKE_OVER_TEXTS.linkSent
}

/** Returns whether an imported account of the game has this ID. */
async function isImportedUserId(tx: Db, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('game_imports')
    .where(sql`lower(user_id)`, '=', sql<string>`lower(${userId})`)
    .select('game_user_num')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the player's account in the game. */
export async function readGameAccount({ db }: Deps, session: Session): Promise<CallAnswer<typeof getGameAccount>> {
  const row = await db
    .selectFrom('game_accounts')
    .where('user_num', '=', session.userNum)
    .select(['state', 'game_user_id'])
    .executeTakeFirst()
  const can_set_password = session.userType >= ADMIN_USER_TYPE && row?.state !== 'taken' && (await canSealPasswords(db))
  if (row === undefined) return { state: 'none', game_user_id: '', can_link: false, can_set_password }
  const can_link = row.state === 'taken' && (await selectUnclaimedImport(db, session.userId)) !== undefined
  return {
    state: row.state === 'creating' ? 'waiting' : row.state,
    game_user_id: row.game_user_id,
    can_link,
    can_set_password,
  }
}

/** Selects the imported game account with this ID, if no player has taken it over yet. */
const selectUnclaimedImport = (db: Db, userId: string) =>
  db
    .selectFrom('game_imports')
    .where(sql`lower(user_id)`, '=', sql<string>`lower(${userId})`)
    .where('user_num', 'is', null)
    .selectAll()
    .executeTakeFirst()

/**
 * Links an account of the site to the imported game account with the same ID, after a check of its old password.
 *
 * @throws Refusal 409 without such an account, 422 for a wrong password, 429
 */
export async function linkGame(deps: Deps, session: Session, password: string, caller: Caller): Promise<string> {
  const { db, now, limits } = deps
  const { userNum, userId } = session
  const gameAccountRow = await db
    .selectFrom('game_accounts')
    .where('user_num', '=', userNum)
    .select('state')
    .executeTakeFirst()
  if (gameAccountRow?.state !== 'taken') throw refuse(linkGameCall, 'notTaken')
  const importedAccount = await selectUnclaimedImport(db, userId)
  if (importedAccount === undefined) throw refuse(linkGameCall, 'notImported')
  // Counted before the password is checked, because otherwise concurrent checks could exceed the limit.
  await limits.consume('gameLinks', userNum)
  if ((await findImportedVariant(importedAccount, password)) === undefined) throw refuse(linkGameCall, 'wrongPassword')
  await limits.reset('gameLinks', userNum)
  const { password_hash } = await selectAccount(db, userNum)
  const isSitePassword = await verifyPassword(password_hash, password)
  const at = now()
  await db.transaction().execute(async (tx) => {
    const lockedAccount = await selectAccount(tx, userNum, 'for change')
    // If the password changed during the check, it may also be the game's.
    const gameKnowsPassword = isSitePassword || lockedAccount.password_hash !== password_hash
    const account = await tx
      .selectFrom('game_accounts')
      .where('user_num', '=', userNum)
      .select('state')
      .forUpdate()
      .executeTakeFirst()
    const row = await tx
      .selectFrom('game_imports')
      .where('game_user_num', '=', importedAccount.game_user_num)
      .select(['user_num', 'user_id'])
      .forUpdate()
      .executeTakeFirst()
    if (account?.state !== 'taken' || row === undefined || row.user_num !== null) throw refuse(linkGameCall, 'notTaken')
    await linkImportedAccount(tx, {
      userNum,
      gameUserNum: importedAccount.game_user_num,
      gameUserId: row.user_id,
      gameKnowsPassword,
      now: at,
    })
    await recordEvent(tx, { userNum, kind: 'game-linked', caller, now: at })
  })
  return TAKE_OVER_TEXTS.gameLinked
}
