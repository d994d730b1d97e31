import { getServerStatus, STATUS_EVENTS } from '#contract/server-status.ts'
import { isMaintenance } from '#contract/settings.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readSettings } from '#server/settings.ts'
import { readGameState } from '../bridge/online.ts'
import { listUpcoming } from '../events/queries.ts'

/** What the header of every page says about the server (STATUS-1). */
export const statusCalls: Mounted[] = [
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
]
