import { getSearch } from '#contract/search.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { search } from './service.ts'

/** One search over news, guides, items and characters. */
export const searchCalls: Mounted[] = [
  mount(getSearch, ({ q, kind, page = 1 }, { deps }) => search(deps, { words: q, kind, page })),
]
