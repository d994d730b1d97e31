import { createHash } from 'node:crypto'
import { FORMER_EMAIL_RETENTION_MS, IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { erasePlayer } from '#contract/players.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import type { Caller } from '#server/http/client-address.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { recordEvent } from './events.ts'
import { type Account, endMailedLinks, endSessions, insertMailedLink, selectAccount } from './queries.ts'

/** Hashes texts with the site's erasure key, as the database's function `erasure_hash` does. */
export const hashWithKey = (key: string, text: string) => createHash('sha256').update(`${key} ${text}`).digest('hex')

/** Returns a hash that identifies an account in a backup. Another account with the same number has another hash. */
export const hashAccount = (key: string, account: { user_num: number; user_id: string; created_at: Date }) =>
  hashWithKey(key, `account ${account.user_num} ${account.user_id.toLowerCase()} ${account.created_at.getTime()}`)

type RequestDeps = Pick<Deps, 'db' | 'now' | 'config' | 'publicUrl'>
/** The operator who acts; null for the player. */
type Requester = { userNum: number; userId: string } | null
type ErasureRequest = { by: Requester; renameCharacters: boolean; caller: Caller }

/**
 * Requests the erasure of an account, in the transaction of the call (UNDO-2). The account is locked and hidden at
 * once, and a job erases it after seven days unless the player or an operator withdraws the request. Mails a link that
 * withdraws it to the account's address and to its addresses of the last 30 days. Notifies the owners if an operator
 * requested the erasure. The caller holds the account's lock.
 *
 * @returns when the account will be erased
 * @throws Refusal 409 when the account has an open request
 */
export async function requestErasure(
  deps: RequestDeps,
  account: Account,
  { by, renameCharacters, caller }: ErasureRequest,
): Promise<Date> {
  const { db: tx } = deps
  const now = deps.now()
  const { user_num: userNum, user_id: userId } = account
  if (account.erasure_due_at !== null) throw refuse(erasePlayer, 'erasing')
  const { key } = await tx.selectFrom('erasure_key').select('key').executeTakeFirstOrThrow()
  const dueAt = new Date(now.getTime() + IRREVERSIBLE_AFTER_MS)
  await tx
    .insertInto('account_erasures')
    .values({
      user_num: userNum,
      account_hash: hashAccount(key, account),
      rename_characters: renameCharacters,
      requested_by: by?.userNum ?? null,
      requested_at: now,
      due_at: dueAt,
      outcome: null,
      ended_by: null,
      ended_at: null,
    })
    .execute()
  await endSessions(tx, userNum)
  await tx.deleteFrom('login_challenges').where('user_num', '=', userNum).execute()
  await recordEvent(tx, { userNum, kind: 'erasure-requested', caller, now })
  await mailWithdrawalLinks(deps, account, { dueAt, by })
  if (by !== null)
    await mailOwners(tx, deps, {
      subject: `${userId} will be erased`,
      lines: [
        `${by.userId} requested on ${formatManilaMinute(now)}, Manila time, that the account ${userId} be erased. It is locked and hidden until ${formatManilaMinute(dueAt)}; then its personal data is deleted.`,
        `If you did not expect this, withdraw the request on the player’s page at the desk: ${deps.publicUrl}/admin/players/${userNum}`,
      ],
    })
  return dueAt
}

/** Mails each address of an account its own link, and ends the links of an earlier request (UNDO-4). */
async function mailWithdrawalLinks(
  deps: RequestDeps,
  account: Account,
  { dueAt, by }: { dueAt: Date; by: Requester },
): Promise<void> {
  const { db: tx, now } = deps
  const { user_num: userNum, user_id: userId } = account
  await endMailedLinks(tx, userNum, ['keep-account'])
  const site = await readMailSite({ ...deps, db: tx })
  for (const email of await selectAddresses(tx, account, now())) {
    const token = createLinkToken()
    const link = {
      tokenHash: hashToken(token),
      kind: 'keep-account',
      userNum,
      email,
      now: now(),
      endsAt: dueAt,
    } as const
    await insertMailedLink(tx, link)
    const mail = mails.erasureRequested(site, userId, { token, dueAt, isByPlayer: by === null })
    await enqueueMail(tx, email, mail, now(), { priority: 'first' })
  }
}

/** Returns the addresses that an account has, or had in the last 30 days. */
async function selectAddresses(tx: Db, { user_num, user_email }: Account, now: Date): Promise<string[]> {
  const formerEmails = await tx
    .selectFrom('former_emails')
    .where('user_num', '=', user_num)
    .where('left_at', '>', new Date(now.getTime() - FORMER_EMAIL_RETENTION_MS))
    .select('email')
    .orderBy('left_at', 'desc')
    .execute()
  const addresses = new Map(
    [user_email, ...formerEmails.map(({ email }) => email)].map((address) => [address.toLowerCase(), address]),
  )
  return [...addresses.values()]
}

type RequestOutcome = { outcome: 'erased' | 'taken back'; by: number | null; now: Date }

/** Ends the open request of an account whose lock the caller holds. @returns whether there was an open request */
export async function endErasureRequest(
  tx: Db,
  userNum: number,
  { outcome, by, now }: RequestOutcome,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_erasures')
    .set({ outcome, ended_by: by, ended_at: now })
    .where('user_num', '=', userNum)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Withdraws the request to erase an account in the caller's transaction, and mails the account's addresses and the
 * owners. The caller holds the account's lock.
 *
 * @param by the operator; null for the player
 * @returns whether there was a request
 */
export async function withdrawErasure(
  deps: RequestDeps,
  account: Account,
  { by, caller }: Pick<ErasureRequest, 'by' | 'caller'>,
): Promise<boolean> {
  const { db: tx } = deps
  const now = deps.now()
  const { user_num: userNum, user_id: userId } = account
  if (!(await endErasureRequest(tx, userNum, { outcome: 'taken back', by: by?.userNum ?? userNum, now }))) return false
  await recordEvent(tx, { userNum, kind: 'erasure-taken-back', caller, now })
  const site = await readMailSite({ ...deps, db: tx })
  for (const email of await selectAddresses(tx, account, now))
    await enqueueMail(tx, email, mails.erasureTakenBack(site, userId, { isByPlayer: by === null }), now)
  await mailOwners(tx, deps, {
    subject: `${userId} will not be erased`,
    lines: [
      `${by === null ? 'The player' : by.userId} withdrew the request to erase the account ${userId} on ${formatManilaMinute(now)}, Manila time.`,
    ],
  })
  return true
}

/**
 * Withdraws the request by a mailed link. A repeated use changes nothing.
 *
 * @returns whether the link is valid
 */
export async function withdrawByLink(deps: Deps, token: string, caller: Caller): Promise<boolean> {
  const selectLink = (db: Db) =>
    db
      .selectFrom('mailed_links')
      .where('token_hash', '=', hashToken(token))
      .where('kind', '=', 'keep-account')
      .select('user_num')
      .executeTakeFirst()
  // Invalid tokens must not occupy the connections that purchases use.
  const link = await selectLink(deps.browseDb)
  if (link === undefined) return false
  return deps.db.transaction().execute(async (tx) => {
    const account = await selectAccount(tx, link.user_num, 'for change')
    // A concurrent erasure has deleted the link.
    if ((await selectLink(tx)) === undefined) return false
    await withdrawErasure({ ...deps, db: tx }, account, { by: null, caller })
    return true
  })
}

/** Withdraws the request of a player who has proved their identity (UNDO-5). @returns the account after the change */
export async function keepAccount<AnyAccount extends Account>(
  deps: RequestDeps,
  account: AnyAccount,
  caller: Caller,
): Promise<AnyAccount> {
  await deps.db.transaction().execute(async (tx) => {
    const lockedAccount = await selectAccount(tx, account.user_num, 'for change')
    await withdrawErasure({ ...deps, db: tx }, lockedAccount, { by: null, caller })
  })
  return { ...account, erasure_due_at: null }
}
