import { formatCount } from '#contract/numbers.ts'
import { adjustMoney, getLedger } from '#contract/wallet.ts'
import type { Db } from '#server/db/open.ts'
import { createInputRefusal, createNotFound } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { bookMoney, type Currency } from './book.ts'
import { selectLedger } from './queries.ts'

/** The calls of the desk about balances and the ledger. */
export const walletDeskCalls: MountedCall[] = [
  mount(getLedger, (filters, { deps }) => selectLedger(deps.browseDb, filters)),

  mount(adjustMoney, async ({ player, currency, direction, amount, reason }, context) => {
    const { db: tx, now } = context.deps
    const account = await tx.selectFrom('accounts').where('user_num', '=', player).select('user_id').executeTakeFirst()
    if (account === undefined) throw createNotFound('There is no such account.')
    const isGift = direction === 'give'
    const name = currency === 'rCoin' ? 'R-Coin' : 'Milleage'
    const summary = `${formatCount(amount)} ${name} ${isGift ? 'to' : 'from'} ${account.user_id}`
    await context.consumePayout({
      amount: isGift ? amount : 0,
      kind: 'adjustment',
      accounts: [player],
      summary: `${isGift ? 'Give' : 'Take'} ${summary}`,
      effect: { account: player, user_id: account.user_id, [isGift ? 'given' : 'taken']: amount, currency: name },
    })
    const { before, after } = await adjustBalance(tx, {
      userNum: player,
      currency: currency === 'rCoin' ? 'r_coin' : 'milleage',
      delta: isGift ? amount : -amount,
      actor: context.staff.userNum,
      now: now(),
    })
    context.record({ target: ['player', player], player, before: { [name]: before }, after: { [name]: after }, reason })
    return { message: `${isGift ? 'Gave' : 'Took'} ${summary}.`, before, after }
  }),
]

type Adjustment = {
  userNum: number
  currency: Currency
  /** The change; negative decreases the balance. Whole units, not 0. */
  delta: number
  /** The account number of the operator; null if a command changes the balance. */
  actor: number | null
  now: Date
}

/**
 * Changes a balance for an operator and writes one ledger entry, within the caller's transaction. Only the audit log stores
 * the reason, because personal texts can be deleted there and not in the ledger.
 *
 * @returns the balance before and after
 * @throws Refusal 404 for an unknown account, 422 when the balance would fall below zero
 */
async function adjustBalance(
  tx: Db,
  { userNum, currency, delta, actor, now }: Adjustment,
): Promise<{ before: number; after: number }> {
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['r_coin', 'milleage'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (account === undefined) throw createNotFound('There is no such account.')
  const before = account[currency]
  const after = before + delta
  const name = currency === 'r_coin' ? 'R-Coin' : 'Milleage'
  if (after < 0)
    throw createInputRefusal({
      amount: [`The account has only ${formatCount(before)} ${name}, and a balance cannot fall below zero.`],
    })
  if (after > Number.MAX_SAFE_INTEGER) throw createInputRefusal({ amount: ['The balance would be too large.'] })
  await bookMoney(tx, userNum, { currency, delta, reason: 'adjustment', reference: '', actor, now })
  return { before, after }
}
