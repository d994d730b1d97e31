import { sql } from 'kysely'
import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { buyCart } from '#server/features/cart/buy.ts'
import { readUnits, refundUnits } from '#server/features/orders/refund.ts'
import { insertCampaign, revokeUnusedCodes, saveStreamer } from '#server/features/vouchers/codes.ts'
import { redeemOrRefuse } from '#server/features/vouchers/redeem.ts'
import { writeAudit } from '#server/http/audit.ts'
import { NO_KEY } from '#server/http/idempotency.ts'
import { bookOpeningBalances } from './accounts.ts'
import { readTable } from './read.ts'
import { pickRandom, seededRandom, subtractMs, type World } from './world.ts'

const SEED = 20_260_801
const SHOPPERS = 60
const CODE_CHARACTERS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789']

/** Campaigns, each with its number of redeemed codes. They began `age_days` ago, and their codes are valid for `good_days`. */
const campaignRow = z.strictObject({
  name: z.string(),
  codes: wholeNumber,
  redeemed: wholeNumber,
  r_coin: wholeNumber,
  milleage: wholeNumber.default(0),
  age_days: wholeNumber,
  good_days: wholeNumber.nullable().default(null),
  per_account: wholeNumber.nullable().default(null),
  in_total: wholeNumber.nullable().default(null),
  streamer: z.string().nullable().default(null),
  /** The number of days since the remaining codes were revoked. */
  leaked_days: wholeNumber.optional(),
})

const FAILURES = [
  'The item bank is full.',
  'The game’s shop database did not answer.',
  'The game’s shop does not contain this item.',
]

const REASONS = ['Bought twice by mistake', 'The wrong school’s uniform', 'The item does not show in the game']

type Event = { at: Date; run: () => Promise<unknown> }

/**
 * Inserts voucher campaigns with redeemed and revoked codes, and two months of orders, some with failed deliveries,
 * refunds and refund requests. None belong to juan or maria.
 */
export async function insertOrders(tx: Db, { now, gm, players }: World): Promise<void> {
  const random = seededRandom(SEED)
  const randomBelow = (limit: number) => Math.floor(random() * limit)
  const daysAgo = (days: number) => subtractMs(now, Math.round(days * DAY_MS))
  const shoppers = players.slice(20, 20 + SHOPPERS)
  const openingBalances = { r_coin: 12_000, milleage: 9000 }
  await tx.updateTable('accounts').set(openingBalances).where('user_num', 'in', shoppers).execute()
  await bookOpeningBalances(tx, shoppers, openingBalances, daysAgo(62))
  const events: Event[] = []

  await saveStreamer(tx, { code: 'BITUIN', streamer: 'Bituin Live' }, { now: daysAgo(70), savedBy: null })
  await saveStreamer(tx, { code: 'LAKAN', streamer: 'Lakan Plays' }, { now: daysAgo(70), savedBy: null })
  for (const campaignEntry of readTable('tables/campaigns.csv', campaignRow)) {
    const { name, redeemed, age_days, good_days, leaked_days, streamer, milleage } = campaignEntry
    const createCodePart = () => Array.from({ length: 4 }, () => pickRandom(random, CODE_CHARACTERS)).join('')
    const codes = Array.from({ length: campaignEntry.codes }, () => Array.from({ length: 4 }, createCodePart).join('-'))
    const at = daysAgo(age_days)
    const terms = {
      name,
      rCoin: campaignEntry.r_coin,
      milleage,
      expiresAt: good_days === null ? null : getEndOfDay(daysAgo(age_days - good_days)),
      perAccount: campaignEntry.per_account,
      inTotal: campaignEntry.in_total,
      streamer,
    }
    const id = await insertCampaign(tx, terms, codes, { now: at, madeBy: gm })
    const target = ['campaign', id] as const
    const operator = { kind: 'person', userNum: gm } as const
    const campaignFields = { name, count: codes.length, r_coin: terms.rCoin, milleage }
    events.push({
      at,
      run: () => audit(tx, at, { actor: operator, target, action: '/admin/vouchers', after: campaignFields }),
    })
    for (const [nth, code] of codes.slice(0, redeemed).entries()) {
      const redeemedAt = daysAgo(
        age_days - (leaked_days === undefined ? random() * Math.min(age_days, 25) : 0.1 + nth / 10),
      )
      const userNum = shoppers[(nth * 7 + id) % shoppers.length] ?? 0
      const referral = streamer ?? (nth % 9 === 4 ? 'BITUIN' : '')
      events.push({ at: redeemedAt, run: () => redeem(tx, userNum, { code, referral }, redeemedAt) })
    }
    if (leaked_days !== undefined) {
      const revokedAt = daysAgo(leaked_days)
      events.push({
        at: revokedAt,
        run: async () => {
          const after = { 'codes revoked': await revokeUnusedCodes(tx, id, revokedAt) }
          const reason = 'Someone posted a photo of the flyers'
          return audit(tx, revokedAt, {
            actor: operator,
            target,
            action: `/admin/vouchers/{campaign}/revoke`,
            after,
            reason,
          })
        },
      })
    }
  }

  const items = await tx.selectFrom('shop_items').select('product_num').orderBy('product_num').execute()
  for (const [index, userNum] of shoppers.entries())
    for (let times = 1 + randomBelow(4); times > 0; times--) {
      const at = daysAgo(0.01 + random() * (index % 5 === 0 ? 0.6 : 55))
      const lines = Array.from({ length: random() < 0.25 ? 2 : 1 }, () => ({
        product: pickRandom(random, items).product_num,
        quantity: 1 + (random() < 0.3 ? randomBelow(4) : 0),
      }))
      events.push({ at, run: () => buyItems(tx, userNum, lines, at) })
    }
  for (const { run } of events.sort((a, b) => a.at.getTime() - b.at.getTime())) await run()
  await deliver(tx, now, { gm, randomBelow })
}

/** Returns the last moment of a day in Manila, which is 8 hours ahead of UTC. */
const getEndOfDay = (at: Date) => new Date(Math.ceil((at.getTime() + DAY_MS / 3) / DAY_MS) * DAY_MS - DAY_MS / 3 - 1)

const audit = (tx: Db, at: Date, entry: Omit<Parameters<typeof writeAudit>[1], 'at'>) =>
  writeAudit(tx, { at, permission: '', ...entry })

async function redeem(
  tx: Db,
  userNum: number,
  enteredCodes: { code: string; referral: string },
  at: Date,
): Promise<void> {
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'r_coin', 'milleage', 'topup_count'])
    .executeTakeFirstOrThrow()
  await redeemOrRefuse(tx, account, enteredCodes, at)
}

/** Buys through the cart like a player. A player without enough money buys nothing. */
async function buyItems(
  tx: Db,
  user_num: number,
  lines: { product: number; quantity: number }[],
  at: Date,
): Promise<void> {
  await tx
    .insertInto('cart_lines')
    .values(lines.map(({ product: product_num, quantity }) => ({ user_num, product_num, quantity })))
    .onConflict((oc) => oc.doNothing())
    .execute()
  const answer = await buyCart({ db: tx, now: () => at }, { userNum: user_num, request: NO_KEY }, null)
  if ('userPoints' in answer) return
  await tx.deleteFrom('cart_lines').where('user_num', '=', user_num).execute()
}

/** Delivers units that are more than three hours old, a few of them with failures, and refunds some as gm. */
async function deliver(tx: Db, now: Date, { gm, randomBelow }: { gm: number; randomBelow: (limit: number) => number }) {
  await sql`
    update deliveries set handed_at = queued_at + interval '1 minute',
      delivered_at = case when delivery % 29 <> 3 then queued_at + interval '2 minutes' end,
      claimed_at = case when delivery % 29 <> 3 and delivery % 5 <> 1 then least(queued_at + interval '7 hours', ${now}) end,
      failed_at = case when delivery % 29 = 3 then queued_at + interval '2 minutes' end,
      failure = case when delivery % 29 = 3 then (${FAILURES}::text[])[1 + delivery % 3] else '' end,
      state = case when delivery % 29 = 3 then 'queued' when delivery % 5 <> 1 then 'claimed' else 'delivered' end
    where queued_at < ${now}::timestamptz - interval '3 hours'`.execute(tx)
  const { rows } = await sql<{ delivery: number; is_waiting: boolean }>`
    select delivery, handed_at is null as is_waiting from deliveries
    where handed_at is null or state = 'delivered' order by delivery`.execute(tx)
  const waitingUnits = rows.filter(({ is_waiting }) => is_waiting)
  const chosenUnits = [
    ...waitingUnits.filter((_, nth) => nth % 2 === 1).slice(0, 8),
    ...rows.filter(({ is_waiting }) => !is_waiting).slice(-4),
  ]
  for (const [nth, { delivery }] of chosenUnits.entries()) {
    const at = subtractMs(now, (chosenUnits.length - nth) * 60_000 + randomBelow(60_000))
    const units = await readUnits(tx, [delivery], 'locked')
    const [unit] = units
    if (unit === undefined) continue
    const { paid } = await refundUnits(tx, units, { now: at, actor: gm })
    const after = paid.length > 0 ? { 'paid back': unit.price } : { 'refund requested': [delivery] }
    await audit(tx, at, {
      actor: { kind: 'person', userNum: gm },
      permission: 'orders.refund',
      action: '/admin/orders/refund',
      target: ['order', `${unit.user_num}-${unit.ordinal}`],
      player: unit.user_num,
      after,
      reason: REASONS[nth % REASONS.length] ?? '',
    })
  }
}
