import type { buyItem } from '#contract/cart.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { ShopItem } from '#contract/shop.ts'

export type PurchaseLine = { shopitem: ShopItem; quantity: number }

/** A purchase to be asked about. */
export type Purchase = {
  lines: readonly PurchaseLine[]
  /** What the player should know before, such as a changed price. */
  notes: readonly string[]
  /** Makes the call; the same key counts once. */
  send: (idempotencyKey: string) => Promise<CallOutput<typeof buyItem>>
}

/** How far a purchase has come: asked, under way, or without an answer so that it may be tried again. */
export type PurchasePhase = 'asked' | 'running' | 'unanswered'
