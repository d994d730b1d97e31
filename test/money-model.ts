import { CART_LINES_MAX, LINE_QUANTITY_MAX, R_COIN_SECTION } from '#contract/limits.ts'
import { formatMoney } from '#contract/numbers.ts'
import { SHOP_TEXTS, VOUCHER_TEXTS } from '#contract/shop.ts'

/** The response of a call: its status, its text and, if they changed, both balances. */
export type Reply = { status: number; message: string; userPoints?: number; userPoints2?: number }

type ModelLine = { seq: number; item: number; quantity: number; checked: boolean }
export type ModelAccount = {
  rCoin: number
  milleage: number
  lines: ModelLine[]
  /** For each Idempotency-Key: the content of its first request, and the response. */
  answers: Map<string, [content: string, Reply]>
}
type Item = { price: number; section: number; visible: boolean }
type Voucher = { rCoin: number; usedBy: ModelAccount | null; batch: number; onePerAccount: boolean }

const reply = (status: number, message: string): Reply => ({ status, message })

/**
 * An in-memory model of the rules of money (MONEY-1 to MONEY-3, BUY-2 to BUY-4, CART-4, CART-5, REDEEM-4 to REDEEM-7,
 * CALL-12, CALL-13), written independently of the SQL. Tests compare the real shop with it step by step.
 */
export function createMoneyModel(items: Map<number, Item>, vouchers: Map<string, Voucher>) {
  const createBalanceReply = (account: ModelAccount, message: string): Reply => ({
    status: 200,
    message,
    userPoints: account.rCoin,
    userPoints2: account.milleage,
  })

  function payLines(account: ModelAccount, purchaseLines: { item: number; quantity: number }[]): Reply {
    let rCoin = 0
    let milleage = 0
    for (const { item, quantity } of purchaseLines) {
      const { price = 0, section } = items.get(item) ?? {}
      if (section === R_COIN_SECTION) rCoin += price * quantity
      else milleage += price * quantity
    }
    const [isRCoinShort, isMilleageShort] = [account.rCoin < rCoin, account.milleage < milleage]
    if (isRCoinShort && isMilleageShort) return reply(422, SHOP_TEXTS.shortBoth)
    if (isRCoinShort) return reply(422, SHOP_TEXTS.shortRCoin)
    if (isMilleageShort) return reply(422, SHOP_TEXTS.shortMilleage)
    account.rCoin -= rCoin
    account.milleage -= milleage
    return createBalanceReply(account, SHOP_TEXTS.bought)
  }

  /** Runs `work`, or returns the first response if the key was already used for the same content. */
  function runOnce(account: ModelAccount, key: string | null, content: string, work: () => Reply): Reply {
    const firstAnswer = key === null ? undefined : account.answers.get(key)
    if (firstAnswer !== undefined) return firstAnswer[0] === content ? firstAnswer[1] : reply(422, SHOP_TEXTS.keyReused)
    const answer = work()
    if (key !== null) account.answers.set(key, [content, answer])
    return answer
  }

  const isSold = (item: number) => items.get(item)?.visible === true

  return {
    add(account: ModelAccount, item: number): Reply {
      if (!isSold(item)) return reply(404, SHOP_TEXTS.itemNotFound)
      const line = account.lines.find((cartLine) => cartLine.item === item)
      if (line === undefined) {
        if (account.lines.length >= CART_LINES_MAX) return reply(422, SHOP_TEXTS.cartFull)
        account.lines.push({ seq: 0, item, quantity: 1, checked: true })
        return reply(200, SHOP_TEXTS.added)
      }
      if (line.quantity >= LINE_QUANTITY_MAX) return reply(422, SHOP_TEXTS.lineFull)
      line.quantity++
      line.checked = true
      return reply(200, SHOP_TEXTS.added)
    },

    step(account: ModelAccount, seq: number, change: 1 | -1): Reply {
      const line = account.lines.find((cartLine) => cartLine.seq === seq)
      if (line === undefined) return reply(404, SHOP_TEXTS.lineNotFound)
      if (line.quantity + change > LINE_QUANTITY_MAX) return reply(422, SHOP_TEXTS.lineFull)
      line.quantity += change
      account.lines = account.lines.filter(({ quantity }) => quantity > 0)
      return reply(200, SHOP_TEXTS.changed)
    },

    toggle(account: ModelAccount, seq: number): Reply {
      const line = account.lines.find((cartLine) => cartLine.seq === seq)
      if (line === undefined) return reply(404, SHOP_TEXTS.lineNotFound)
      line.checked = !line.checked
      return reply(200, SHOP_TEXTS.changed)
    },

    buyItem: (account: ModelAccount, purchaseLine: { item: number; quantity: number }, key: string | null): Reply =>
      runOnce(account, key, `item ${purchaseLine.item} ${purchaseLine.quantity}`, () =>
        isSold(purchaseLine.item) ? payLines(account, [purchaseLine]) : reply(404, SHOP_TEXTS.itemNotFound),
      ),

    buyCart: (account: ModelAccount, seqs: number[] | null, key: string | null): Reply =>
      runOnce(account, key, `cart ${seqs === null ? 'all' : [...new Set(seqs)].sort((a, b) => a - b)}`, () => {
        const checkedLines = account.lines.filter((line) => line.checked)
        const purchaseLines =
          seqs === null
            ? checkedLines.filter(({ item }) => isSold(item))
            : checkedLines.filter(({ seq }) => seqs.includes(seq))
        if (seqs !== null && purchaseLines.length < new Set(seqs).size) return reply(422, SHOP_TEXTS.notChecked)
        if (purchaseLines.some(({ item }) => !isSold(item))) return reply(422, SHOP_TEXTS.itemGone)
        if (purchaseLines.length === 0) return reply(422, SHOP_TEXTS.nothingChecked)
        const answer = payLines(account, purchaseLines)
        if (answer.status === 200) account.lines = account.lines.filter((line) => !purchaseLines.includes(line))
        return answer
      }),

    redeem: (account: ModelAccount, code: string, referral: string, key: string | null): Reply =>
      runOnce(account, key, `code ${code} ${referral}`, () => {
        if (referral !== '' && referral !== 'TAMBAYAN') return reply(422, VOUCHER_TEXTS.unknownReferral)
        const voucher = vouchers.get(code)
        if (voucher === undefined) return reply(422, VOUCHER_TEXTS.unknown)
        if (voucher.usedBy !== null) return reply(422, VOUCHER_TEXTS.used)
        const isBatchRedeemed = [...vouchers.values()].some(
          (otherVoucher) => otherVoucher.batch === voucher.batch && otherVoucher.usedBy === account,
        )
        if (voucher.onePerAccount && isBatchRedeemed) return reply(422, VOUCHER_TEXTS.oncePerAccount)
        voucher.usedBy = account
        account.rCoin += voucher.rCoin
        const message = `You got ${formatMoney(voucher.rCoin)} R-Coin and have ${formatMoney(account.rCoin)} now.`
        return createBalanceReply(account, `${VOUCHER_TEXTS.redeemed} ${message}`)
      }),
  }
}
