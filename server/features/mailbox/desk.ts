import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { findSchool } from '#contract/game.ts'
import { formatGift } from '#contract/gifts.ts'
import { OPENED_COUNT_MAX } from '#contract/limits.ts'
import * as calls from '#contract/mailbox.ts'
import { formatCount } from '#contract/numbers.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { countRecipients, findWorth, type Gift, OPEN_GIFT_EXPIRY, putGift, withdrawGift } from './gifts.ts'
import { type Audience, hasBoughtBefore, sendLetter, sendLetterToEach } from './letters.ts'

type RecipientRule = {
  to: 'player' | 'everyone' | 'levels' | 'school' | 'buyers'
  user_id: string
  level_from: number | null
  level_to: number | null
  school: number | null
  bought: number | null
}

/** Returns the recipients that a form names. @throws Refusal 422 for a player or an item that does not exist */
async function readAudience(db: Db, rule: RecipientRule): Promise<number | Audience> {
  const { to, user_id, level_from: from, level_to, school, bought } = rule
  if (to === 'levels' && from !== null && level_to !== null) return { levels: { from, to: level_to } }
  if (to === 'school' && school !== null) return { school }
  if (to === 'buyers' && bought !== null) {
    const item = await db
      .selectFrom('shop_items')
      .where('product_num', '=', bought)
      .select('product_num')
      .executeTakeFirst()
    if (item === undefined) throw refuse(calls.sendLetters, 'itemNotFound')
    return { bought }
  }
  if (to !== 'player') return {}
  const account = await db
    .selectFrom('accounts')
    .where(sql`lower(user_id)`, '=', user_id.toLowerCase())
    .where('erased_at', 'is', null)
    .select('user_num')
    .executeTakeFirst()
  if (account === undefined) throw refuse(calls.sendLetters, 'playerNotFound')
  return account.user_num
}

/** Counts the accounts of an audience. */
async function countAudience(db: Db, to: number | Audience, now: Date): Promise<number> {
  if (typeof to === 'number') return 1
  const { levels, school, bought } = to
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from accounts a where a.erased_at is null
      and (${levels?.from ?? null}::int is null or exists (select from characters c
        where c.user_num = a.user_num and c.cha_level between ${levels?.from ?? null}::int and ${levels?.to ?? null}::int))
      and (${school ?? null}::int is null or exists (select from characters c
        where c.user_num = a.user_num and c.cha_school = ${school ?? null}::int))
      and (${bought ?? null}::bigint is null
        or ${hasBoughtBefore(sql`a.user_num`, sql`${bought ?? null}::bigint`, sql`${now}`)})`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

type GiftFields = {
  gift: '' | 'r_coin' | 'milleage' | 'item'
  gift_amount: number | null
  gift_item: number | null
  gift_quantity: number | null
}

type PricedGift = { gift: Gift; worth: number; text: string }

/** Returns the gift that a form names, with its worth for one player. @throws Refusal 422 for an unknown item */
async function readGift(db: Db, fields: GiftFields, now: Date): Promise<PricedGift | undefined> {
  const { gift: kind, gift_amount: amount, gift_item: item, gift_quantity: quantity } = fields
  if (kind === '') return undefined
  if (kind !== 'item') {
    const gift = { currency: kind === 'r_coin' ? 'R-Coin' : 'Milleage', amount: amount ?? 0 } as const
    return { gift, worth: gift.amount, text: formatGift({ currency: kind, amount: gift.amount }) }
  }
  const itemRow = await db
    .selectFrom('shop_items')
    .where('product_num', '=', item)
    .select(['product_num', 'item_name'])
    .executeTakeFirst()
  if (itemRow === undefined) throw refuse(calls.sendLetters, 'giftItemNotFound')
  const gift = { item: itemRow.product_num, quantity: quantity ?? 1 }
  const giftText = formatGift({ item_name: itemRow.item_name, quantity: gift.quantity })
  return { gift, worth: await findWorth(db, gift, now), text: giftText }
}

/** Counts the accounts of an audience that could receive a gift now, except the writer's. */
function countGiftReceivers(db: Db, to: number | Audience, { writer, now }: { writer: number; now: Date }) {
  const conditions: RawBuilder<unknown>[] = [sql`a.user_num <> ${writer}`]
  if (typeof to === 'number') conditions.push(sql`a.user_num = ${to}`)
  else {
    const { levels, school, bought } = to
    if (levels) conditions.push(sql`ch.cha_level between ${levels.from} and ${levels.to}`)
    if (school !== undefined) conditions.push(sql`ch.cha_school = ${school}`)
    if (bought !== undefined) conditions.push(hasBoughtBefore(sql`a.user_num`, sql`${bought}`, sql`${now}`))
  }
  return countRecipients(db, now, sql.join(conditions, sql` and `))
}

type AudienceRow = {
  to_num: number | null
  to_id: string | null
  level_from: number | null
  level_to: number | null
  school: number | null
  bought: number | null
  item_name: string | null
}

/** Describes the recipients of a sent letter. */
function describeAudience(row: AudienceRow): { to: RecipientRule['to']; to_words: string } {
  if (row.to_num !== null) return { to: 'player', to_words: row.to_id ?? '' }
  if (row.level_from !== null) return { to: 'levels', to_words: `Levels ${row.level_from} to ${row.level_to}` }
  if (row.school !== null) return { to: 'school', to_words: findSchool(row.school)?.name ?? `School ${row.school}` }
  if (row.bought !== null) return { to: 'buyers', to_words: `Buyers of ${row.item_name ?? row.bought}` }
  return { to: 'everyone', to_words: 'Everyone' }
}

/** The desk's calls about letters to players. */
export const letterDeskCalls: MountedCall[] = [
  mount(calls.getSentLetters, async ({ after }, { deps: { db } }) => {
    const rows = await db
      .selectFrom('letters as l')
      .innerJoin('accounts as w', 'w.user_num', 'l.sent_by')
      .leftJoin('accounts as p', 'p.user_num', 'l.to_num')
      .leftJoin('shop_items as i', 'i.product_num', 'l.bought')
      .leftJoin('letter_gifts as g', 'g.letter', 'l.letter')
      .leftJoin('shop_items as gi', 'gi.product_num', 'g.product_num')
      .where('l.sent_by', 'is not', null)
      .$if(after !== '', (query) => query.where('l.letter', '<', parseCursor(after)))
      .selectAll('l')
      .select((letter) => [
        'w.user_id as writer',
        'p.user_id as to_id',
        'i.item_name',
        'g.currency',
        'g.amount',
        'g.product_num',
        'g.quantity',
        'g.claimed',
        'g.budget',
        'g.value',
        'g.state as gift_state',
        'gi.item_name as gift_name',
        letter
          .selectFrom((openings) =>
            openings
              .selectFrom('letter_states as s')
              .whereRef('s.letter', '=', 'l.letter')
              .where('s.read_at', 'is not', null)
              .select('s.letter')
              .orderBy('s.read_at')
              .limit(OPENED_COUNT_MAX)
              .as('s'),
          )
          .select((s) => s.fn.countAll<number>().as('count'))
          .as('opened'),
      ])
      .orderBy('l.letter', 'desc')
      .limit(DESK_PAGE_SIZE + 1)
      .execute()
    return cutPage(
      rows,
      ({ letter }) => letter,
      (row) => ({
        ...row,
        ...describeAudience(row),
        sent_by: row.writer,
        opened: Number(row.opened ?? 0),
        gift:
          row.budget === null
            ? null
            : {
                kind: row.currency ?? ('item' as const),
                words: formatGift({ ...row, item_name: row.gift_name }),
                claims: (row.claimed ?? 0) / (row.value ?? 1),
                claimed: row.claimed ?? 0,
                budget: row.budget,
                state:
                  row.gift_state === 'claimed' || row.gift_state === 'withdrawn' ? row.gift_state : ('open' as const),
              },
      }),
    )
  }),

  mount(calls.countRecipients, async (rule, { deps: { db, now }, staff, record }) => {
    const to = await readAudience(db, rule)
    const gift = await readGift(db, rule, now())
    const recipients =
      gift === undefined
        ? await countAudience(db, to, now())
        : await countGiftReceivers(db, to, { writer: staff.userNum, now: now() })
    if (gift !== undefined && typeof to === 'number' && recipients === 0)
      throw refuse(calls.countRecipients, 'receiverNotFound')
    const each = gift?.worth ?? 0
    record({ target: ['letter', 'recipients'], after: { to: rule.to, recipients, each } })
    return { recipients, each, total: recipients * each }
  }),

  mount(calls.sendLetters, async ({ subject, body, link, ...fields }, context) => {
    const { deps, staff, record } = context
    const { db: tx } = deps
    const now = deps.now()
    if (fields.gift !== '') context.requirePermission('letters.gift')
    const to = await readAudience(tx, fields)
    const pricedGift = await readGift(tx, fields, now)
    const isForOnePlayer = typeof to === 'number'
    const budget = pricedGift === undefined ? 0 : isForOnePlayer ? pricedGift.worth : fields.gift_budget
    if (pricedGift !== undefined) {
      if (
        isForOnePlayer &&
        (await countGiftReceivers(tx, to, { writer: staff.userNum, now })) === 0 &&
        to !== staff.userNum
      )
        throw refuse(calls.sendLetters, 'receiverNotFound')
      if (budget === null) throw refuse(calls.sendLetters, 'notCounted')
      if (budget < pricedGift.worth) throw refuse(calls.sendLetters, 'belowOne')
      await context.consumePayout({
        amount: budget,
        kind: 'gift',
        accounts: isForOnePlayer ? [to] : [],
        summary: `Give ${pricedGift.text} each to ${isForOnePlayer ? fields.user_id : describeRecipients(fields)}, worth ${formatCount(budget)} in all at most: ${subject}`,
        effect: {
          to: isForOnePlayer ? { account: to, user_id: fields.user_id.toLowerCase() } : toAuditRule(fields),
          subject,
          body,
          link,
          gift: { ...pricedGift.gift, words: pricedGift.text },
          'worth of one': pricedGift.worth,
          budget,
        },
      })
    }
    const letter = await sendLetter(tx, {
      kind: 'staff',
      to,
      subject,
      body,
      link,
      sentBy: staff.userNum,
      now,
      ...(pricedGift !== undefined && isForOnePlayer && { until: OPEN_GIFT_EXPIRY }),
    })
    if (pricedGift !== undefined)
      await putGift(tx, {
        letter,
        recipient: isForOnePlayer ? to : null,
        gift: pricedGift.gift,
        value: pricedGift.worth,
        budget: budget ?? 0,
        givenBy: staff.userNum,
        now,
      })
    record({
      target: ['letter', letter],
      ...(isForOnePlayer && { player: to }),
      after: {
        to: isForOnePlayer ? 'one player' : to,
        subject,
        body,
        link,
        ...(pricedGift !== undefined && { gift: pricedGift.gift, each: pricedGift.worth, budget }),
      },
    })
    return { message: 'The letter is in the mail box now.', letter }
  }),

  mount(calls.sendChosenLetter, async ({ players, ...letter }, { deps, staff, record }) => {
    const { db: tx } = deps
    const accountRows = await tx
      .selectFrom('accounts')
      .where('user_num', 'in', players)
      .where('erased_at', 'is', null)
      .select('user_num')
      .orderBy('user_num')
      .execute()
    if (accountRows.length !== new Set(players).size) throw refuse(calls.sendChosenLetter, 'playersNotFound')
    const accounts = accountRows.map(({ user_num }) => user_num)
    await sendLetterToEach(tx, accounts, { kind: 'staff', ...letter, sentBy: staff.userNum, now: deps.now() })
    record({ target: ['letters', accounts.length], after: { accounts, ...letter } })
    return {
      message: accounts.length === 1 ? 'The letter is in the mail box now.' : `${accounts.length} letters are sent.`,
    }
  }),

  mount(calls.withdrawLetterGift, async ({ letter }, { deps: { db: tx, now }, record }) => {
    const gift = await tx
      .selectFrom('letter_gifts')
      .where('letter', '=', letter)
      .where('buyer', 'is', null)
      .select(['recipient', 'claimed', 'budget'])
      .executeTakeFirst()
    if (gift === undefined) throw refuse(calls.withdrawLetterGift, 'giftNotFound')
    if (!(await withdrawGift(tx, letter, now()))) throw refuse(calls.withdrawLetterGift, 'giftEnded')
    record({
      target: ['letter', letter],
      ...(gift.recipient !== null && { player: gift.recipient }),
      before: { claimed: gift.claimed, budget: gift.budget },
      after: { gift: 'withdrawn' },
    })
    return { message: 'This gift can no longer be claimed.' }
  }),
]

/** Describes the recipients of a letter to many by their rule, not by the players who match it now. */
const toAuditRule = (rule: RecipientRule) => ({
  rule: describeRecipients(rule),
  ...(rule.to === 'levels' && { 'from level': rule.level_from, 'to level': rule.level_to }),
  ...(rule.to === 'school' && { school: rule.school }),
  ...(rule.to === 'buyers' && { item: rule.bought }),
})

/** Describes the recipients that a form names. */
const describeRecipients = ({ to, level_from, level_to, school, bought }: RecipientRule) =>
  describeAudience({
    to_num: null,
    to_id: null,
    item_name: null,
    level_from: to === 'levels' ? level_from : null,
    level_to: to === 'levels' ? level_to : null,
    school: to === 'school' ? school : null,
    bought: to === 'buyers' ? bought : null,
  }).to_words.toLowerCase()
