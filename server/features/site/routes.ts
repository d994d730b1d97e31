import { clockParts } from '#contract/manila.ts'
import { getClubAreas, getSite, getTime } from '#contract/site.ts'
import { readSiteLook } from '#server/features/look/queries.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { describeSite } from './describe.ts'
import { selectClubAreas } from './queries.ts'

/** What the shell shows: the site itself, the shared clock, the club areas. */
export const siteCalls: Mounted[] = [
  mount(getSite, async (_, { deps }) => describeSite(deps, await readSiteLook(deps))),
  mount(getTime, (_, { deps: { now } }) => {
    const { leading, minutes } = clockParts(now())
    return { time: `${leading} ${minutes}`, epoch_ms: now().getTime() }
  }),
  mount(getClubAreas, async (_, { deps }) => ({ data: await selectClubAreas(deps.db) })),
]
