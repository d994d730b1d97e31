import type { Page } from '@playwright/test'
import { openHydrated } from './hydrated.ts'

/** Removes the lines of other tests from the player's cart. The player's session must be stored. */
export async function emptyCart(page: Page): Promise<void> {
  await openHydrated(page, '/')
  await page.evaluate(async () => {
    const headers = {
      Authorization: `Bearer ${localStorage.getItem('ACCESS_TOKEN')}`,
      'Content-Type': 'application/json',
    }
    const lines: { seq: number; quantity: number }[] = await (await fetch('/api/shopcart', { headers })).json()
    for (const { seq, quantity } of lines)
      for (let remaining = quantity; remaining > 0; remaining--) {
        const body = JSON.stringify({ seq, quantityChange: -1 })
        const { ok } = await fetch('/api/updateQuantity', { method: 'POST', headers, body })
        if (!ok) throw new Error(`Line ${seq} stayed in the cart`)
      }
  })
}
