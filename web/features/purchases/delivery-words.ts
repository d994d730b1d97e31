import type { Purchase } from './queries.ts'

type Deliveries = Purchase['deliveries']
export type DeliveryState = Deliveries[number]['state']

const WORDS: Record<DeliveryState, string> = {
  queued: 'On its way to your item bank',
  delivered: 'Delivered to your item bank',
  claimed: 'Claimed in the game',
  refunded: 'Refunded',
}

/** The way of a unit, from the purchase on. */
const ORDER: readonly DeliveryState[] = ['queued', 'delivered', 'claimed', 'refunded']

/** How far the units of a purchase have come, in words; a number before them where they differ. */
export function deliveryWords(deliveries: Deliveries): { state: DeliveryState; text: string }[] {
  const known = deliveries.filter(({ units }) => units > 0)
  return ORDER.flatMap((state) => {
    const units = known.find((delivery) => delivery.state === state)?.units
    if (units === undefined) return []
    return [{ state, text: known.length > 1 ? `${units} × ${WORDS[state]}` : WORDS[state] }]
  })
}
