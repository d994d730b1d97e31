import { BOARD_LIST_KEY, BOARDS } from '#contract/game.ts'
import type { Place } from '#contract/search-words.ts'
import type { Deps } from '#server/deps.ts'
import { listRankings } from '../rankings/service.ts'

/**
 * Where characters are on this month's boards, by their numbers: each with its best place, the level board's among
 * equals. Kept in the answer cache, because the search box asks with every key that is typed.
 */
export async function readPlaces(deps: Deps): Promise<Record<number, Place>> {
  return (await deps.cache.value('places on boards', () => findPlaces(deps))) as Record<number, Place>
}

async function findPlaces(deps: Deps): Promise<Record<number, Place>> {
  const rankings = await listRankings(deps)
  const places: Record<number, Place> = {}
  for (const board of ['level', ...BOARDS] as const) {
    for (const [index, { ChaNum }] of rankings[BOARD_LIST_KEY[board]].entries()) {
      const known = places[ChaNum]
      if (known === undefined || index + 1 < known.rank) places[ChaNum] = { board, rank: index + 1 }
    }
  }
  return places
}
