import type { GiftState, getOrders, UnitStage } from '#contract/orders.ts'
import { StateBadge, type Tone } from '../../kit/facts.tsx'
import type { RowOf } from '../../kit/list.tsx'
import styles from './orders.module.css'

export type OrderRow = RowOf<typeof getOrders>

/** How far a unit has come, in words, and how much it asks for attention. */
export const STAGES: Record<UnitStage, { words: string; tone: Tone }> = {
  waiting: { words: 'Waiting', tone: 'calm' },
  handed: { words: 'With the bridge', tone: 'calm' },
  failed: { words: 'Failed', tone: 'bad' },
  refund_requested: { words: 'Refund requested', tone: 'next' },
  lost: { words: 'Lost in a restore', tone: 'bad' },
  delivered: { words: 'In the item bank', tone: 'good' },
  claimed: { words: 'Claimed', tone: 'good' },
  refunded: { words: 'Refunded', tone: 'off' },
}

/** What became of a gift, in words. */
const GIFT_STATES: Record<GiftState, { words: string; tone: Tone }> = {
  open: { words: 'Gift, waiting in the mail box', tone: 'calm' },
  claimed: { words: 'Gift, claimed', tone: 'good' },
  refused: { words: 'Gift, refused and paid back', tone: 'off' },
  unclaimed: { words: 'Gift, not claimed and paid back', tone: 'off' },
  blocked: { words: 'Gift, recipient blocked, paid back', tone: 'off' },
}

/** As `STAGES`, for what reads them in order: those that ask for something first. */
export const STAGE_ORDER = [
  'failed',
  'lost',
  'refund_requested',
  'waiting',
  'handed',
  'delivered',
  'claimed',
  'refunded',
] as const satisfies readonly UnitStage[]

/** The state of an order: each stage that some of its units are in, with how many where they differ; of a gift what became of it. */
export function OrderState({ row }: { row: OrderRow }) {
  const stages = STAGE_ORDER.filter((stage) => row[stage] > 0)
  return (
    <span className={styles.state}>
      {row.gift !== null && <StateBadge tone={GIFT_STATES[row.gift].tone}>{GIFT_STATES[row.gift].words}</StateBadge>}
      {stages.map((stage) => (
        <StateBadge key={stage} tone={STAGES[stage].tone}>
          {stages.length > 1 && `${row[stage]} × `}
          {STAGES[stage].words}
        </StateBadge>
      ))}
    </span>
  )
}

export const currencyOf = (currency: 'r_coin' | 'milleage') => (currency === 'r_coin' ? 'rCoin' : 'milleage')
