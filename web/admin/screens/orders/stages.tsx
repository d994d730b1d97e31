import { type GiftState, type getOrders, type UnitStage, URGENT_STAGES } from '#contract/orders.ts'
import { State, StateBadge, type States } from '../../kit/facts.tsx'
import type { RowOf } from '../../kit/list.tsx'
import { ScreenParts } from '../../kit/screen.tsx'
import styles from './orders.module.css'

export type OrderRow = RowOf<typeof getOrders>

/** The label and urgency of each stage. */
export const STAGES: States<UnitStage> = {
  waiting: ['Waiting', 'calm'],
  handed: ['With the bridge', 'calm'],
  failed: ['Failed', 'bad'],
  refund_requested: ['Refund requested', 'attention'],
  lost: ['Lost in a restore', 'bad'],
  delivered: ['In the item bank', 'good'],
  claimed: ['Claimed', 'good'],
  refunded: ['Refunded', 'off'],
}

/** The labels of a gift's states. */
const GIFT_STATES: States<GiftState> = {
  open: ['Gift, waiting in the mail box', 'calm'],
  claimed: ['Gift, claimed', 'good'],
  refused: ['Gift, refused and paid back', 'off'],
  unclaimed: ['Gift, not claimed and paid back', 'off'],
  blocked: ['Gift, recipient blocked, paid back', 'off'],
}

/** Shows the state of an order: the stages of its units, with counts if they differ; for a gift, the gift's state. */
export function OrderState({ row }: { row: OrderRow }) {
  const stages = URGENT_STAGES.filter((stage) => row[stage] > 0)
  return (
    <span className={styles.state}>
      {row.gift !== null && <State states={GIFT_STATES} state={row.gift} />}
      {stages.map((stage) => (
        <StateBadge key={stage} tone={STAGES[stage][1]}>
          {stages.length > 1 && `${row[stage]} × `}
          {STAGES[stage][0]}
        </StateBadge>
      ))}
    </span>
  )
}

export const toCurrency = (currency: 'r_coin' | 'milleage') => (currency === 'r_coin' ? 'rCoin' : 'milleage')

const PARTS = [
  { key: 'orders', label: 'Orders', to: '/admin/orders' },
  { key: 'ledger', label: 'Ledger', to: '/admin/orders/ledger' },
] as const

/** The parts of the screen. */
export const OrderParts = ({ current }: { current: (typeof PARTS)[number]['key'] }) => (
  <ScreenParts screen="orders" parts={PARTS} current={current} />
)
