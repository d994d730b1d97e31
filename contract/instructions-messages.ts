import { PARTY_SEARCH_MESSAGE_GOLD, PARTY_SEARCH_WAIT_MINUTES, REGIONAL_MESSAGE_GOLD } from './limits.ts'
import { formatCount } from './numbers.ts'

const gold = (amount: number) => `${formatCount(amount)} gold per message`

/** What the two paid chat channels cost (GUIDE-4). */
export const CHAT_COSTS = {
  regional: { channel: 'Regional channel', cost: gold(REGIONAL_MESSAGE_GOLD) },
  partySearch: {
    channel: 'Party search channel',
    cost: `${gold(PARTY_SEARCH_MESSAGE_GOLD)}, usable once every ${PARTY_SEARCH_WAIT_MINUTES} minutes`,
  },
} as const
