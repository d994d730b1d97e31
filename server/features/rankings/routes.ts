import { getRankingPeriods, getTopRankingsList } from '#contract/rankings.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { listPeriods, listRankings } from './service.ts'

/** The calls of the rankings: the boards (SPEC §7) and the months there are. */
export const rankingCalls: Mounted[] = [
  mount(getTopRankingsList, ({ period }, { deps }) => listRankings(deps, period)),
  mount(getRankingPeriods, async (_, { deps }) => ({ data: await listPeriods(deps) })),
]
