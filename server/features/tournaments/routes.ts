import * as calls from '#contract/tournaments.ts'
import { TOURNAMENT_TEXTS } from '#contract/tournaments.ts'
import { refuse } from '#server/errors.ts'
import { parseCursorPair } from '#server/http/desk-lists.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { checkInEntrant, deleteEntry, readOwnEntry, registerCharacter } from './entries.ts'
import { findTournament, listTournaments } from './queries.ts'

/** The calls of the tournaments' public pages, and a player's calls for their entry. */
export const tournamentCalls: Mounted[] = [
  mount(calls.getTournaments, async ({ after }, { deps: { db, now } }) => {
    const from = after === '' ? null : parseCursorPair(after)
    const { rows, next } = await listTournaments(db, { after: from, drafts: 'without' }, now())
    return { data: rows, next }
  }),

  mount(calls.getTournament, async ({ id }, { deps: { db, now } }) => {
    const found = await findTournament(db, Number(id), now())
    if (found === undefined) throw refuse(calls.getTournament, 'tournamentNotFound')
    return found
  }),

  mount(calls.getOwnEntry, async ({ id }, { deps: { db }, session: { userNum } }) => {
    const found = await readOwnEntry(db, Number(id), userNum)
    if (found === undefined) throw refuse(calls.getOwnEntry, 'tournamentNotFound')
    return found
  }),

  mount(calls.registerEntry, async (input, { deps, session: { userNum } }) => {
    await registerCharacter(deps, { ...input, userNum })
    return { message: TOURNAMENT_TEXTS.registered }
  }),

  mount(calls.withdrawEntry, async ({ tournament }, { deps, session: { userNum } }) => {
    await deleteEntry(deps, { tournament, userNum })
    return { message: TOURNAMENT_TEXTS.withdrawn }
  }),

  mount(calls.checkInEntry, async ({ tournament }, { deps, session: { userNum } }) => {
    await checkInEntrant(deps, { tournament, userNum })
    return { message: TOURNAMENT_TEXTS.checkedIn }
  }),
]
