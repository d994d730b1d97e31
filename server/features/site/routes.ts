import { clockParts } from '#contract/manila.ts'
import { isMaintenance } from '#contract/settings.ts'
import { getClubAreas, getServerStatus, getSite, getTime, STATUS_EVENTS } from '#contract/site.ts'
import { readSiteTheme } from '#server/features/theme/queries.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readSettings } from '#server/settings.ts'
import { readGameState } from '../bridge/online.ts'
import { listUpcoming } from '../events/queries.ts'
import { describeSite } from './describe.ts'
import { selectClubAreas } from './queries.ts'

/** The calls of the shell: the site itself, the shared clock, the server's status, the club areas. */
export const siteCalls: Mounted[] = [
  mount(getSite, async (_, { deps }) => describeSite(deps, await readSiteTheme(deps))),
  mount(getTime, (_, { deps: { now } }) => {
    const { leading, minutes } = clockParts(now())
    return { time: `${leading} ${minutes}`, epoch_ms: now().getTime() }
  }),
  // The server's status in the header of every page (STATUS-1).
  mount(getServerStatus, async (_, { deps }) => {
    const now = deps.now()
    const [{ maintenance }, { up, players }, events] = await Promise.all([
      readSettings(deps),
      readGameState(deps.db, now),
      listUpcoming(deps.db, now, STATUS_EVENTS),
    ])
    const isDown = up !== null && isMaintenance(maintenance, now)
    return { up: isDown ? false : up, players: isDown ? null : players, events }
  }),
  mount(getClubAreas, async (_, { deps }) => ({ data: await selectClubAreas(deps.db) })),
]
