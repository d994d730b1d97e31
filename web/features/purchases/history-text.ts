import type { getShopPurchases } from '#contract/cart.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { getClockParts } from '#contract/manila.ts'

export type Purchase = CallOutput<typeof getShopPurchases>['purchasehistory'][number]

type Deliveries = Purchase['deliveries']
type DeliveryState = Deliveries[number]['state']

const DELIVERY_TEXTS: Record<DeliveryState, string> = {
  queued: 'On its way to your item bank',
  delivered: 'Delivered to your item bank',
  claimed: 'Claimed in the game',
  refunded: 'Refunded',
}

/** The states of a unit, in order. */
const DELIVERY_ORDER: readonly DeliveryState[] = ['queued', 'delivered', 'claimed', 'refunded']

/**
 * Describes the delivery states of a purchase, with the number of units in each if they differ. Returns an empty list
 * for a record without deliveries.
 */
export function describeDeliveries(deliveries: Deliveries | undefined): { state: DeliveryState; text: string }[] {
  const presentStates = (deliveries ?? []).filter(({ units }) => units > 0)
  return DELIVERY_ORDER.flatMap((state) => {
    const units = presentStates.find((delivery) => delivery.state === state)?.units
    if (units === undefined) return []
    return [{ state, text: presentStates.length > 1 ? `${units} × ${DELIVERY_TEXTS[state]}` : DELIVERY_TEXTS[state] }]
  })
}

const GIFT_STATES = {
  open: 'waits in their mail box',
  claimed: 'claimed',
  returned: 'came back, you got your money back',
} as const

/** Describes the state of a gift, such as 'Gift to maria: claimed'; 'A gift' for a received one. */
export function describeGiftState({ to, state }: NonNullable<Purchase['gift']>): string {
  return to === null ? 'A gift' : `Gift to ${to}: ${GIFT_STATES[state]}`
}

/** Describes the delivery of a unit, a requested refund, and the amount of a completed refund. */
export function describeUnit(
  { state, refundRequested, refunded }: Purchase['units'][number],
  refundText: string,
): string {
  if (state === 'refunded') return `Refunded: ${refundText}`
  if (refunded !== null) return `${DELIVERY_TEXTS[state]}, and refunded: ${refundText}`
  return refundRequested === null ? DELIVERY_TEXTS[state] : `${DELIVERY_TEXTS[state]}, refund requested`
}

/** Formats a date of a history in Manila time: '20 Nov 2026' and '21:42'. */
export function formatHistoryDate(iso: string): { date: string; time: string } {
  const { date, minutes } = getClockParts(new Date(iso))
  return { date: date.slice(date.indexOf(' ') + 1), time: minutes }
}
