import { useSearchParams } from 'react-router'
import { type RankingView, readRankingView } from './ranking-view.ts'

/** What the address says the ranking shows. */
export function useRankingView(): RankingView {
  const [query] = useSearchParams()
  return readRankingView(query)
}
