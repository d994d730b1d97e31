import { availableParallelism } from 'node:os'
import { getSearch } from '#contract/search.ts'
import { createQueue } from '#server/concurrency.ts'
import { siteBusy } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { search } from './service.ts'

/** A search keeps a processor of the database busy, so two run at once at most, and one processor stays for purchases. */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))
/** Enough that a flood waits rather than being refused at once and asking again, which would keep the site busy. */
const WAITING_MAX = 64
const MAX_WAIT_MS = 2000
/** Between two searches that wait for each other. */
const PAUSE_MS = 5
const runQueued = createQueue({
  concurrency: AT_ONCE,
  maxWaiting: WAITING_MAX,
  maxWaitMs: MAX_WAIT_MS,
  pauseMs: PAUSE_MS,
  createFullError: siteBusy,
})

/** One search over news, guides, items and characters. */
export const searchCalls: Mounted[] = [
  mount(getSearch, ({ q, kind, page = 1 }, { deps }) => runQueued(() => search(deps, { words: q, kind, page }))),
]
