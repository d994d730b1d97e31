import { useSearchParams } from 'react-router'
import { newsPath, readNewsView } from './boards.ts'

/** The address of the list page an item was opened from: the first, unless `category` and `page` say otherwise (SPEC §2.1). */
export function useWayBack(): string {
  const [query] = useSearchParams()
  return newsPath(readNewsView(query))
}
