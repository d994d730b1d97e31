import { getStarterItems } from '#contract/rewards.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { dailyRewardCalls } from './daily.ts'
import { selectOffers } from './give.ts'
import { playtimeCalls } from './playtime.ts'
import { formatOffers } from './starter.ts'

/** The calls of players about daily rewards, playtime and the items of a new account (REWARD-9). */
export const rewardCalls: MountedCall[] = [
  ...playtimeCalls,
  ...dailyRewardCalls,
  mount(getStarterItems, async (_, { deps: { db } }) => {
    const offers = await selectOffers(db, 'starter')
    return { items: offers.length === 0 ? null : formatOffers(offers) }
  }),
]
