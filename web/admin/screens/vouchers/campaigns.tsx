import type { getCampaigns } from '#contract/vouchers.ts'
import { Money, type States } from '../../kit/facts.tsx'
import type { RowOf } from '../../kit/list.tsx'

export type Campaign = RowOf<typeof getCampaigns>

/** The label and tone of each state of a campaign. */
export const CAMPAIGN_STATES: States<Campaign['state']> = {
  open: ['Open', 'good'],
  over: ['Over', 'off'],
  used_up: ['Used up', 'calm'],
  revoked: ['Revoked', 'bad'],
}

/** Shows an amount of one or both currencies; nothing if both are 0. */
export function CodeValue({ r_coin, milleage }: Pick<Campaign, 'r_coin' | 'milleage'>) {
  return (
    <>
      {r_coin > 0 && <Money amount={r_coin} currency="rCoin" />}
      {r_coin > 0 && milleage > 0 && ' + '}
      {milleage > 0 && <Money amount={milleage} currency="milleage" />}
    </>
  )
}
