import { getClockParts } from '#contract/manila.ts'
import { getClubAreas, getServerStatus, getSite, getTime } from '#contract/site.ts'
import { readSiteTheme } from '#server/features/theme/queries.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { describeSite, readServerStatus } from './describe.ts'
import { selectClubAreas } from './queries.ts'

/** The calls of the shell: the site's data, the clock, the game's status and the club areas. */
export const siteCalls: MountedCall[] = [
  mount(getSite, async (_, { deps }) => describeSite(deps, await readSiteTheme(deps))),
  mount(getTime, (_, { deps: { now } }) => {
    const { leading, minutes } = getClockParts(now())
    return { time: `${leading} ${minutes}`, epoch_ms: now().getTime() }
  }),
  mount(getServerStatus, (_, { deps }) => readServerStatus(deps)),
  mount(getClubAreas, async (_, { deps }) => ({ data: await selectClubAreas(deps.db) })),
]
