import { formatCount } from '#contract/numbers.ts'
import { adjustMoney } from '#contract/wallet.ts'
import { notFound } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { adjustBalance } from './adjust.ts'

/** The calls of the desk that change a balance by hand. */
export const walletDeskCalls: Mounted[] = [
  mount(adjustMoney, async ({ player, currency, direction, amount, reason }, context) => {
    const { db: tx, now } = context.deps
    const account = await tx.selectFrom('accounts').where('user_num', '=', player).select('user_id').executeTakeFirst()
    if (account === undefined) throw notFound('There is no such account.')
    const isGift = direction === 'give'
    const name = currency === 'rCoin' ? 'R-Coin' : 'Milleage'
    const words = `${formatCount(amount)} ${name} ${isGift ? 'to' : 'from'} ${account.user_id}`
    await context.spend({
      amount: isGift ? amount : 0,
      kind: 'adjustment',
      accounts: [player],
      summary: `${isGift ? 'Give' : 'Take'} ${words}`,
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
    return { message: `${isGift ? 'Gave' : 'Took'} ${words}.`, before, after }
  }),
]
