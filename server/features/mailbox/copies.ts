import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { LETTER_KINDS, type LetterKind } from '#contract/mailbox.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { readSettings } from '#server/settings.ts'
import { selectLetter } from './letters.ts'

/** Selects the kinds of letters that an account wants copies of by email. */
export async function selectCopies(db: Db, userNum: number): Promise<LetterKind[]> {
  const rows = await db
    .selectFrom('mail_copies')
    .where('user_num', '=', userNum)
    .where('wanted', '=', true)
    .select('kind')
    .execute()
  return rows.map(({ kind }) => kind).filter((kind) => kind in LETTER_KINDS)
}

/** Sets the kinds of letters that an account wants copies of. Links in earlier mails stay valid. */
export async function saveCopies(tx: Db, userNum: number, kinds: readonly LetterKind[]): Promise<void> {
  const allKinds = Object.keys(LETTER_KINDS) as LetterKind[]
  await tx
    .insertInto('mail_copies')
    .values(
      allKinds.map((kind) => ({
        user_num: userNum,
        kind,
        wanted: kinds.includes(kind),
        token: randomBytes(24).toString('base64url'),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_num', 'kind']).doUpdateSet((row) => ({ wanted: row.ref('excluded.wanted') })),
    )
    .execute()
}

/** Turns off the copies that a mailed link belongs to. @returns their kind, or undefined for an unknown link */
export async function unsubscribe(db: Db, token: string): Promise<LetterKind | undefined> {
  const row = await db
    .updateTable('mail_copies')
    .set({ wanted: false })
    .where('token', '=', token)
    .returning('kind')
    .executeTakeFirst()
  return row?.kind
}

/**
 * Handles one-click unsubscribing (RFC 8058): mail programs send a POST to the address in the mail's header. A GET of the
 * same address shows a page with a button, because mail scanners open links too.
 */
export function createUnsubscribeRoutes({ db, browseDb }: Deps) {
  return new Hono().post('/unsubscribe', async (c) => {
    const token = c.req.query('token') ?? ''
    // Invalid tokens must not occupy the connections that purchases use.
    const link = await browseDb.selectFrom('mail_copies').where('token', '=', token).select('kind').executeTakeFirst()
    const kind = link && (await unsubscribe(db, token))
    c.header('Cache-Control', 'no-store')
    return kind === undefined
      ? c.text('This link is not valid.', 404)
      : c.text('Done. You won’t get any more of these copies.')
  })
}

const ACCOUNTS_AT_ONCE = 100

type CopyDeps = Pick<Deps, 'db' | 'now' | 'config' | 'publicUrl' | 'cache'>

/**
 * Queues copies of letters that are still unread after the configured time, one of each letter for each player who wants
 * copies of its kind and has a confirmed email address. Commits a letter to many players in batches of accounts, so a crash
 * repeats no copy.
 *
 * @returns the number of queued copies
 */
export async function mailCopies(deps: CopyDeps, signal?: AbortSignal): Promise<number> {
  const { letter_mail_minutes: minutes } = await readSettings(deps)
  const sentBefore = new Date(deps.now().getTime() - minutes * 60_000)
  await sql`
    update letters l set copied_at = ${deps.now()}
    where copied_at is null and sent_at <= ${sentBefore} and not exists (
      select from mail_copies m where m.kind = l.kind and m.wanted and (l.to_num is null or m.user_num = l.to_num))`.execute(
    deps.db,
  )
  for (let mailedCount = 0; ; ) {
    const count = signal?.aborted ? null : await mailNextCopies(deps, sentBefore)
    if (count === null) return mailedCount
    mailedCount += count
  }
}

/** Queues the next batch of copies of the oldest due letter. @returns the number of copies, or null if no letter is due */
function mailNextCopies({ db, now, config, publicUrl }: CopyDeps, sentBefore: Date): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const letter = await tx
      .selectFrom('letters')
      .where('copied_at', 'is', null)
      .where('sent_at', '<=', sentBefore)
      .select(['letter', 'kind', 'to_num', 'copied_through'])
      .orderBy('sent_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (letter === undefined) return null
    const { to_num } = letter
    const site = await readMailSite({ db: tx, config, publicUrl })
    const accounts = await tx
      .selectFrom('mail_copies as m')
      .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
      .where('m.kind', '=', letter.kind)
      .where('m.wanted', '=', true)
      .where('m.user_num', '>', letter.copied_through)
      .$if(to_num !== null, (query) => query.where('m.user_num', '=', to_num ?? 0))
      .where('a.email_verified_at', 'is not', null)
      .where('a.erased_at', 'is', null)
      .where((eb) => eb.not(isBlocked('a', now())))
      .select(['m.user_num', 'm.token', 'a.user_id', 'a.user_email'])
      .orderBy('m.user_num')
      .limit(ACCOUNTS_AT_ONCE)
      .execute()
    let mailedCount = 0
    for (const { user_num, user_id, user_email, token } of accounts) {
      const letterRow = await selectLetter(tx, user_num, letter.letter, now())
      if (letterRow === undefined || letterRow.read) continue
      const unsubscribeUrl = `${publicUrl}/unsubscribe?token=${token}`
      const content = mails.letterCopy(site, user_id, {
        letter: letter.letter,
        subject: letterRow.subject,
        body: letterRow.body,
        kind: LETTER_KINDS[letter.kind],
        hasGift: letterRow.gift?.state === 'open',
        unsubscribeUrl,
      })
      await enqueueMail(tx, user_email, content, now(), { priority: 'last', unsubscribeUrl })
      mailedCount++
    }
    const isLastBatch = accounts.length < ACCOUNTS_AT_ONCE
    await tx
      .updateTable('letters')
      .set(isLastBatch ? { copied_at: now() } : { copied_through: accounts.at(-1)?.user_num ?? 0 })
      .where('letter', '=', letter.letter)
      .execute()
    return mailedCount
  })
}
