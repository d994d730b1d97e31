import { getLeague } from '#contract/leagues.ts'
import * as calls from '#contract/wars.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { findVisibleLeague } from './leagues.ts'
import { readWars } from './queries.ts'

/** The calls of the pages about wars and their leagues (WAR-1, WAR-3). */
export const warCalls: MountedCall[] = [
  mount(calls.getWars, (_, { deps }) => readWars(deps)),

  mount(getLeague, async ({ league }, { deps }) => {
    const leaguePage = await findVisibleLeague(deps, Number(league))
    if (leaguePage === undefined) throw refuse(getLeague, 'leagueNotFound')
    return leaguePage
  }),
]
