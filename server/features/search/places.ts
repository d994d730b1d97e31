import { BOARD_LIST_KEY, BOARDS } from '#contract/game.ts'
import type { Place } from '#contract/search-words.ts'
import type { Deps } from '#server/deps.ts'
import { listRankings } from '../rankings/service.ts'

/** Boards change slowly and searches run with every key: places are read again after this time. */
const KEPT_MS = 5000

/** A reader of this month's ranks: each character with its best one, preferring the level board among equals. */
export function createPlaces(deps: Deps): () => Promise<Map<number, Place>> {
  let kept: { at: number; places: Promise<Map<number, Place>> } | undefined
  return () => {
    const at = deps.now().getTime()
    if (kept === undefined || at - kept.at >= KEPT_MS || at < kept.at) {
      const places = readPlaces(deps)
      places.catch(() => {
        kept = undefined
      })
      kept = { at, places }
    }
    return kept.places
  }
}

async function readPlaces(deps: Deps): Promise<Map<number, Place>> {
  const rankings = await listRankings(deps)
  const places = new Map<number, Place>()
  for (const board of ['level', ...BOARDS] as const) {
    for (const [index, { ChaNum }] of rankings[BOARD_LIST_KEY[board]].entries()) {
      const known = places.get(ChaNum)
      if (known === undefined || index + 1 < known.rank) places.set(ChaNum, { board, rank: index + 1 })
    }
  }
  return places
}
