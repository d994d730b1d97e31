import { availableParallelism } from 'node:os'
import { getSearch } from '#contract/search.ts'
import { createQueue } from '#server/concurrency.ts'
import { siteBusy } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { search } from './service.ts'

/** A search keeps a processor of the database busy, so two run at once at most, and one processor stays for purchases. */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))
/** Between two searches that wait for each other. */
const PAUSE_MS = 5
const runQueued = createQueue({ concurrency: AT_ONCE, maxWaiting: 16, pauseMs: PAUSE_MS, createFullError: siteBusy })

/** One search over news, guides, items and characters. */
export const searchCalls: Mounted[] = [
  mount(getSearch, ({ q, kind, page = 1 }, { deps }) => runQueued(() => search(deps, { words: q, kind, page }))),
]
