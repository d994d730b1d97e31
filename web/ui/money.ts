const MONEY = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Whole money as people read it: 50000 as '50,000.00' (SPEC §9). */
export function formatMoney(amount: number): string {
  return MONEY.format(amount)
}
