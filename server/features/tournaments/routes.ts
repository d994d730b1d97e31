import * as calls from '#contract/tournaments.ts'
import { TOURNAMENT_TEXTS } from '#contract/tournaments.ts'
import { refuse } from '#server/errors.ts'
import { parseCursorPair } from '#server/http/desk-lists.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { checkInEntrant, deleteEntry, readOwnEntry, registerCharacter } from './entries.ts'
import { findTournament, listTournaments } from './queries.ts'

/** The calls of the tournaments' public pages, and a player's calls for their entry. */
export const tournamentCalls: MountedCall[] = [
  mount(calls.getTournaments, async ({ after }, { deps: { db, now } }) => {
    const cursor = after === '' ? null : parseCursorPair(after)
    const { rows, next } = await listTournaments(db, { after: cursor, drafts: 'without' }, now())
    return { data: rows, next }
  }),

  mount(calls.getTournament, async ({ id }, { deps: { db, now } }) => {
    const tournament = await findTournament(db, Number(id), now())
    if (tournament === undefined) throw refuse(calls.getTournament, 'tournamentNotFound')
    return tournament
  }),

  mount(calls.getOwnEntry, async ({ id }, { deps: { db }, session: { userNum } }) => {
    const ownEntry = await readOwnEntry(db, Number(id), userNum)
    if (ownEntry === undefined) throw refuse(calls.getOwnEntry, 'tournamentNotFound')
    return ownEntry
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
