import type { APIRequestContext } from '@playwright/test'

/** Removes the lines of other tests from a player's cart. */
export async function emptyCart(request: APIRequestContext, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  const lines: { seq: number; quantity: number }[] = await (await request.get('/api/shopcart', { headers })).json()
  for (const { seq, quantity } of lines)
    for (let remaining = quantity; remaining > 0; remaining--) {
      const answer = await request.post('/api/updateQuantity', { headers, data: { seq, quantityChange: -1 } })
      if (!answer.ok()) throw new Error(`Line ${seq} stayed in the cart`)
    }
}
