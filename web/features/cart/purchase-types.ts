import type { ShopItem } from '#contract/shop.ts'
import type { browserClient } from '#web/api/client.ts'

export type PurchaseLine = { shopitem: ShopItem; quantity: number }

type BuyCall = ReturnType<typeof browserClient.buyitem.$post> | ReturnType<typeof browserClient.buycartitem.$post>

/** A purchase to be asked about. */
export type Purchase = {
  lines: readonly PurchaseLine[]
  /** What the player should know before, such as a changed price. */
  notes: readonly string[]
  /** Sends the call with the headers that make a retry count once. */
  send: (header: { 'idempotency-key': string }) => BuyCall
}

/** How far a purchase has come: asked, under way, or without an answer so that it may be tried again. */
export type PurchasePhase = 'asked' | 'running' | 'unanswered'
