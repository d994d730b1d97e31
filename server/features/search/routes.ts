import { getSearch } from '#contract/search.ts'
import { createQueue } from '#server/concurrency.ts'
import { siteBusy } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { search } from './service.ts'

/** A search reads much, so few run at once, however many connections there are. */
const runQueued = createQueue({ concurrency: 2, maxWaiting: 16, createFullError: siteBusy })

/** One search over news, guides, items and characters. */
export const searchCalls: Mounted[] = [
  mount(getSearch, ({ q, kind, page = 1 }, { deps }) => runQueued(() => search(deps, { words: q, kind, page }))),
]
