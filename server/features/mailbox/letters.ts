import { type RawBuilder, sql } from 'kysely'
import type { CurrencyNames } from '#contract/currencies.ts'
import { LETTER_RETENTION_MS } from '#contract/limits.ts'
import { LETTER_KINDS, type LetterKind, UNREAD_COUNT_MAX } from '#contract/mailbox.ts'
import { formatCount } from '#contract/numbers.ts'
import type { Db } from '#server/db/open.ts'
import { enqueuePushes, type Push } from '#server/push/outbox.ts'

const LETTERS_A_PAGE = 20

/** Returns when a letter that is sent now expires. */
export const getLetterExpiry = (now: Date) => new Date(now.getTime() + LETTER_RETENTION_MS)

/**
 * The recipients of a letter to many: by level or school of a character, or buyers of an item. Without fields, all players.
 */
export type Audience = { levels?: { from: number; to: number }; school?: number; bought?: number }

type NewLetter = {
  kind: LetterKind
  /** The number of an account, or an audience. */
  to: number | Audience
  subject: string
  body: string
  /** The page of this site that the letter is about. */
  link?: string
  /** The staff member who wrote it; absent for an automatic letter. */
  sentBy?: number
  now: Date
  /** The expiry, if it is not the usual one. */
  until?: Date
}

/** Puts a letter into mailboxes, in the transaction of the change that it reports. @returns its number */
export async function sendLetter(tx: Db, { kind, to, subject, body, link = '', sentBy, now, until }: NewLetter) {
  const audience: Audience = typeof to === 'number' ? {} : to
  const { letter } = await tx
    .insertInto('letters')
    .values({
      kind,
      to_num: typeof to === 'number' ? to : null,
      level_from: audience.levels?.from ?? null,
      level_to: audience.levels?.to ?? null,
      school: audience.school ?? null,
      bought: audience.bought ?? null,
      subject,
      body,
      link,
      sent_by: sentBy ?? null,
      sent_at: now,
      expires_at: until ?? getLetterExpiry(now),
    })
    .returning('letter')
    .executeTakeFirstOrThrow()
  const subscribers = typeof to === 'number' ? sql`s.user_num = ${to}` : matchesAudience(audience, now)
  await enqueuePushes(tx, { ...createPush(kind), condition: subscribers, now })
  return letter
}

/** Returns the push notification of a letter. */
function createPush(kind: LetterKind): Push {
  const isReply = kind === 'forum' || kind === 'ticket'
  return { kind: kind === 'event' ? 'events' : isReply ? 'replies' : 'letters', sender: LETTER_KINDS[kind] }
}

/** Whether the account of the subscription `s` belongs to an audience. */
function matchesAudience({ levels, school, bought }: Audience, now: Date): RawBuilder<unknown> {
  const hasCharacter = (condition: RawBuilder<unknown>) =>
    sql`exists (select from characters c where c.user_num = s.user_num and ${condition})`
  return sql`${levels === undefined ? sql`true` : hasCharacter(sql`c.cha_level between ${levels.from} and ${levels.to}`)}
    and ${school === undefined ? sql`true` : hasCharacter(sql`c.cha_school = ${school}`)}
    and ${bought === undefined ? sql`true` : hasBoughtBefore(sql`s.user_num`, sql`${bought}::bigint`, sql`${now}::timestamptz`)}`
}

/** Puts the same letter into the mailboxes of several accounts, in the transaction of the change that it reports. */
export async function sendLetterToEach(
  tx: Db,
  userNums: readonly number[],
  { kind, subject, body, link = '', sentBy, now }: Omit<NewLetter, 'to' | 'until'>,
): Promise<void> {
  await sql`
    insert into letters (kind, to_num, subject, body, link, sent_by, sent_at, expires_at)
    select ${kind}, to_num, ${subject}, ${body}, ${link}, ${sentBy ?? null}::bigint, ${now}, ${getLetterExpiry(now)}
    from unnest(${userNums}::bigint[]) to_num`.execute(tx)
  await enqueuePushes(tx, { ...createPush(kind), condition: sql`s.user_num = any(${userNums}::bigint[])`, now })
}

/** Formats both amounts with the names of their currencies, such as `1,000 R-Coin and 20 Milleage`. */
export function formatAmounts(
  { r_coin, milleage }: { r_coin: number; milleage: number },
  names: CurrencyNames,
): string {
  const amounts = [
    [r_coin, names.rCoin],
    [milleage, names.milleage],
  ] as const
  return amounts
    .filter(([amount]) => amount > 0)
    .map(([amount, name]) => `${formatCount(amount)} ${name}`)
    .join(' and ')
}

type LetterRow = {
  letter: number
  kind: LetterKind
  subject: string
  body: string
  link: string
  sent_at: Date
  expires_at: Date
  read: boolean
  gift: LetterGift | null
}

/** The content of a letter's gift, and its state for this player. */
type LetterGift = {
  currency: 'r_coin' | 'milleage' | null
  amount: number | null
  product_num: number | null
  item_name: string | null
  icon: string | null
  image_url: string | null
  quantity: number | null
  /** `gone` is a gift that was returned, withdrawn or used up before it was claimed. */
  state: 'open' | 'claimed' | 'gone'
  /** Whether another player paid for it. */
  bought: boolean
  /** Whether the gift is for this player only. The player cannot delete the letter of an open one. */
  own: boolean
}

/**
 * Whether an account bought an item for itself before a time, and not all its units were refunded. Prizes of capsules do not
 * count.
 */
export const hasBoughtBefore = (
  player: RawBuilder<unknown>,
  item: RawBuilder<unknown>,
  moment: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`exists (
  select from purchases p
  where p.user_num = ${player} and p.product_num = ${item} and p.created_at < ${moment} and p.gift is null
    and not exists (select from capsule_draws c where c.user_num = p.user_num and c.ordinal = p.ordinal)
    and p.quantity > (select count(*) from deliveries d
      where d.user_num = p.user_num and d.ordinal = p.ordinal and (d.state = 'refunded' or d.refunded_at is not null)))`

/**
 * Selects the letters in an account's mailbox, newest first, for the list and the badge: letters to the account, and letters
 * to an audience that it belonged to when they were sent. Omits deleted and expired letters. A letter with an unclaimed gift
 * is shown only to players with a confirmed email and a character from before the letter, and not to its writer.
 *
 * @param options.condition a condition on the letter `l`
 * @param options.maxRows the maximum number of letters to return, and to read of the letters to the account and to audiences each
 */
function selectMailbox(
  userNum: number,
  now: Date,
  { condition, maxRows }: { condition: RawBuilder<unknown>; maxRows?: number },
): RawBuilder<LetterRow> {
  const orderAndLimit = maxRows === undefined ? sql`` : sql`order by letter desc limit ${maxRows}`
  const letters = sql`
    select l.letter, l.kind, l.subject, l.body, l.link, l.sent_at, l.expires_at,
      (s.read_at is not null or l.letter <= a.read_through) as read, c.letter is not null as is_claimed
    from letters l
    cross join owner a
    left join letter_states s on s.user_num = ${userNum} and s.letter = l.letter
    left join letter_gifts g on g.letter = l.letter
    left join gift_claims c on c.letter = l.letter and c.user_num = ${userNum}`
  const isReadable = sql`${condition} and l.expires_at > ${now} and s.deleted_at is null and (g.letter is null or c.letter is not null or (
    ${mayHaveGift(sql`l.sent_at`)} and l.sent_by is distinct from a.user_num and exists (
      select from characters ch where ch.user_num = a.user_num and ch.known_since <= l.sent_at
        and (l.level_from is null or ch.cha_level between l.level_from and l.level_to)
        and (l.school is null or ch.cha_school = l.school))))`
  return sql<LetterRow>`
    with owner as materialized (
      select a.user_num, a.created_at, a.email_verified_at, a.erased_at, coalesce(m.read_through, 0) as read_through
      from accounts a left join mailboxes m using (user_num) where a.user_num = ${userNum})
    select box.letter, box.kind, subject, body, link, box.sent_at, expires_at, read, case when g.letter is not null then
      json_build_object('currency', g.currency, 'amount', g.amount, 'product_num', g.product_num, 'item_name', i.item_name,
        'icon', i.icon, 'image_url', i.image_url, 'quantity', g.quantity,
        'state', case when is_claimed then 'claimed' when g.state <> 'open' or g.claimed + g.value > g.budget then 'gone'
          else 'open' end,
        'bought', g.buyer is not null, 'own', g.recipient is not null) end as gift
    from (
      (${letters} where l.to_num = ${userNum} and ${isReadable} ${orderAndLimit})
      union all
      (${letters} where l.to_num is null and l.sent_at >= a.created_at and ${isReadable}
        and (l.level_from is null or exists (select from characters c
          where c.user_num = ${userNum} and c.cha_level between l.level_from and l.level_to))
        and (l.school is null or exists (select from characters c where c.user_num = ${userNum} and c.cha_school = l.school))
        and (l.bought is null or ${hasBoughtBefore(sql`${userNum}`, sql`l.bought`, sql`l.sent_at`)})
        ${orderAndLimit})
      ${orderAndLimit}) box
    left join letter_gifts g on g.letter = box.letter
    left join shop_items i on i.product_num = g.product_num
    order by box.letter desc`
}

/** Whether the row of account `a` allows a gift that was sent at a time. A character from before that time is needed too. */
export const mayHaveGift = (sentAt: RawBuilder<unknown>) =>
  sql`a.created_at <= ${sentAt} and a.email_verified_at is not null and a.erased_at is null`

/** Counts the unread letters, up to 100. */
export async function countUnread(db: Db, userNum: number, now: Date): Promise<number> {
  // The subquery is evaluated once, so the index scan on letters can end at its value.
  const unread = sql`s.read_at is null and l.letter > (select read_through from owner)`
  const { rows } = await sql<{ unread: number }>`
    select count(*) as unread from (${selectMailbox(userNum, now, { condition: unread, maxRows: UNREAD_COUNT_MAX })}) counted`.execute(
    db,
  )
  return Number(rows[0]?.unread ?? 0)
}

/** Selects a page of a mailbox, newest first. @param after the last letter of the previous page, or '' */
export async function selectLetters(db: Db, userNum: number, { after, now }: { after: string; now: Date }) {
  const isOlder = after === '' ? sql`true` : sql`l.letter < ${Number(after)}`
  const { rows } = await selectMailbox(userNum, now, { condition: isOlder, maxRows: LETTERS_A_PAGE + 1 }).execute(db)
  const letters = rows.slice(0, LETTERS_A_PAGE)
  return { letters, next: rows.length > LETTERS_A_PAGE ? String(letters.at(-1)?.letter) : null }
}

/** Selects a letter in an account's mailbox. */
export async function selectLetter(db: Db, userNum: number, letter: number, now: Date): Promise<LetterRow | undefined> {
  const { rows } = await selectMailbox(userNum, now, { condition: sql`l.letter = ${letter}` }).execute(db)
  return rows[0]
}

/** Marks a letter as read or deleted. Only the first time of each is stored. */
export async function markLetter(
  tx: Db,
  { userNum, letter, column, now }: { userNum: number; letter: number; column: 'read_at' | 'deleted_at'; now: Date },
): Promise<void> {
  await tx
    .insertInto('letter_states')
    .values({ user_num: userNum, letter, read_at: null, deleted_at: null, [column]: now })
    .onConflict((conflict) =>
      conflict.columns(['user_num', 'letter']).doUpdateSet((state) => ({
        [column]: state.fn.coalesce(`letter_states.${column}`, `excluded.${column}`),
      })),
    )
    .execute()
}

/** Milliseconds within which every transaction that sends a letter has ended. */
const SETTLED_MS = 60_000

/**
 * Marks all letters in a mailbox as read. Letters of the last minute are marked one by one, because a letter with a smaller
 * number may not be committed yet.
 */
export async function markAllRead(tx: Db, userNum: number, now: Date): Promise<void> {
  const settledBefore = new Date(now.getTime() - SETTLED_MS)
  await sql`
    insert into mailboxes (user_num, read_through)
    select ${userNum}, coalesce(max(letter), 0) from letters where sent_at < ${settledBefore}
    on conflict (user_num) do update set read_through = greatest(mailboxes.read_through, excluded.read_through)`.execute(
    tx,
  )
  const isRecent = sql`l.sent_at >= ${settledBefore} and s.read_at is null`
  await sql`
    insert into letter_states (user_num, letter, read_at)
    select ${userNum}, letter, ${now} from (${selectMailbox(userNum, now, { condition: isRecent })}) box
    on conflict (user_num, letter) do update set read_at = coalesce(letter_states.read_at, excluded.read_at)`.execute(
    tx,
  )
}
