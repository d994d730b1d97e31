/**
 * A number with a comma before every three digits: 1234567 as '1,234,567'.
 *
 * The browser's own formatter does the same, but whoever uses it first waits until the browser has loaded its language
 * data, on every page (docs/decisions/010).
 */
export function formatCount(value: number | bigint): string {
  return groupDigits(String(value))
}

/** Whole money as people read it: 50000 as '50,000.00' (SPEC §9). */
export function formatMoney(amount: number): string {
  return groupDigits(amount.toFixed(2))
}

function groupDigits(digits: string): string {
  const [whole = '', ...fraction] = digits.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}
