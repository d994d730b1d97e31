import { formatMoney } from '#web/ui/money.ts'

type Priced = { ProductNum: number; ItemName: string; price: number }

/** Which prices are no longer what the player saw, in words (the present price is the one that is paid). */
export function priceNotes(shown: readonly Priced[], present: readonly Priced[]): string[] {
  return present.flatMap((item) => {
    const before = shown.find(({ ProductNum }) => ProductNum === item.ProductNum)
    if (before === undefined || before.price === item.price) return []
    return [`The price of ${item.ItemName} changed from ${formatMoney(before.price)} to ${formatMoney(item.price)}.`]
  })
}
