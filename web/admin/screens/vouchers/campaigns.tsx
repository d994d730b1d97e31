import { formatCount } from '#contract/numbers.ts'
import type { getCampaigns } from '#contract/vouchers.ts'
import { Money, StateBadge, type Tone } from '../../kit/facts.tsx'
import type { RowOf } from '../../kit/list.tsx'

export type Campaign = RowOf<typeof getCampaigns>

/** The state of a campaign in words. */
export const CAMPAIGN_WORDS: Record<Campaign['state'], { words: string; tone: Tone }> = {
  open: { words: 'Open', tone: 'good' },
  over: { words: 'Over', tone: 'off' },
  used_up: { words: 'Used up', tone: 'calm' },
  revoked: { words: 'Revoked', tone: 'bad' },
}

/** Whether a campaign's codes can be redeemed, in a word. */
export function CampaignState({ state }: Pick<Campaign, 'state'>) {
  const { words, tone } = CAMPAIGN_WORDS[state]
  return <StateBadge tone={tone}>{words}</StateBadge>
}

/** What one code is worth. */
export function Value({ r_coin, milleage }: Pick<Campaign, 'r_coin' | 'milleage'>) {
  return (
    <>
      {r_coin > 0 && <Money amount={r_coin} currency="rCoin" />}
      {r_coin > 0 && milleage > 0 && ' + '}
      {milleage > 0 && <Money amount={milleage} currency="milleage" />}
    </>
  )
}

export const codeWords = (count: number) => (count === 1 ? '1 code' : `${formatCount(count)} codes`)
