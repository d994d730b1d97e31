import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import * as calls from '#contract/desk-tournaments.ts'
import { formatPlural } from '#contract/numbers.ts'
import { TOURNAMENT_OBJECTION_PERIOD_MS } from '#contract/tournaments.ts'
import type { Db } from '#server/db/open.ts'
import { Refusal, type RefusingCall, refuse } from '#server/errors.ts'
import { withdrawGift } from '#server/features/mailbox/gifts.ts'
import { isHidden } from '#server/features/rankings/queries.ts'
import { parseCursorPair } from '#server/http/desk-lists.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { redraw, selectMatches } from './bracket.ts'
import { readDeskTournament } from './desk-record.ts'
import { isLevelAllowed } from './entries.ts'
import { findHolders, payPrizes, selectPrizes } from './prizes.ts'
import {
  getSeeds,
  listTournaments,
  lockTournament,
  selectEntries,
  selectOffers,
  type TournamentRow,
} from './queries.ts'
import { saveTournament } from './save.ts'
import { isDecided, rankEntries, type Shape } from './standings.ts'

type TournamentReference = { tournament: number; version: number }

/** Locks and returns a tournament in the version that the operator saw. @throws Refusal 404, 409 */
async function lockTournamentVersion(
  tx: Db,
  endpoint: RefusingCall<'tournamentNotFound' | 'conflict'>,
  { tournament, version }: TournamentReference,
): Promise<TournamentRow> {
  const row = await lockTournament(tx, tournament)
  if (row === undefined) throw refuse(endpoint, 'tournamentNotFound')
  if (row.version !== version) throw refuse(endpoint, 'conflict')
  return row
}

const setState = (tx: Db, row: TournamentRow, values: Partial<TournamentRow>) =>
  tx
    .updateTable('tournaments')
    .set({ ...values, version: row.version + 1 })
    .where('tournament', '=', row.tournament)
    .execute()

const isNotDrawn = ({ state }: TournamentRow) => state === 'draft' || state === 'announced'

const toShape = ({ format, third_place, groups, advance }: TournamentRow): Shape => ({
  format,
  third_place,
  groups,
  advance,
})

/** Locks the tournament of an entry and returns both. @throws Refusal 404, 409 if the tournament has been drawn */
async function lockEntry(tx: Db, endpoint: RefusingCall<'entryNotFound' | 'drawn'>, entry: number) {
  const entryReference = await tx
    .selectFrom('tournament_entries')
    .where('entry', '=', entry)
    .select('tournament')
    .executeTakeFirst()
  const row = entryReference && (await lockTournament(tx, entryReference.tournament))
  const entryRow = await tx.selectFrom('tournament_entries').where('entry', '=', entry).selectAll().executeTakeFirst()
  if (row === undefined || entryRow === undefined) throw refuse(endpoint, 'entryNotFound')
  if (row.state !== 'announced') throw refuse(endpoint, 'drawn')
  return { row, entryRow, name: entryRow.club ?? entryRow.cha_name }
}

/** The calls of the desk that run tournaments. */
export const tournamentDeskCalls: MountedCall[] = [
  mount(calls.getDeskTournaments, ({ after, state }, { deps }) =>
    listTournaments(
      deps.browseDb,
      { after: after === '' ? null : parseCursorPair(after), size: DESK_PAGE_SIZE, drafts: 'with', state },
      deps.now(),
    ),
  ),

  mount(calls.getDeskTournament, async ({ tournament }, { deps, staff }) => {
    const tournamentDetails = await readDeskTournament(deps, Number(tournament), staff)
    if (tournamentDetails === undefined) throw refuse(calls.getDeskTournament, 'tournamentNotFound')
    return tournamentDetails
  }),

  mount(calls.saveTournament, async (input, context) => {
    const { tournament, version, before, after } = await saveTournament(context.deps, input, context.staff.userNum)
    context.record({ target: ['tournament', tournament], before, after })
    return { message: `${input.name} is saved.`, tournament, version }
  }),

  mount(calls.announceTournament, async (input, context) => {
    const tx = context.deps.db
    const row = await lockTournamentVersion(tx, calls.announceTournament, input)
    if (row.state !== 'draft') throw refuse(calls.announceTournament, 'notDraft')
    await setState(tx, row, { state: 'announced' })
    context.record({
      target: ['tournament', row.tournament],
      before: { state: 'draft' },
      after: { state: 'announced' },
    })
    return { message: `${row.name} is announced.` }
  }),

  mount(calls.cancelTournament, async (input, context) => {
    const tx = context.deps.db
    const { state, ...row } = await lockTournamentVersion(tx, calls.cancelTournament, input)
    if (state === 'finalised' || state === 'cancelled') throw refuse(calls.cancelTournament, 'over')
    if (state === 'draft') await tx.deleteFrom('tournaments').where('tournament', '=', row.tournament).execute()
    else await setState(tx, { state, ...row }, { state: 'cancelled', cancelled_why: input.reason })
    const newState = state === 'draft' ? 'deleted' : 'cancelled'
    context.record({
      target: ['tournament', row.tournament],
      before: { state },
      after: { state: newState },
      reason: input.reason,
    })
    return { message: `${row.name} is ${newState}.` }
  }),

  mount(calls.checkInEntry, async ({ entry }, context) => {
    const tx = context.deps.db
    const { row, entryRow, name } = await lockEntry(tx, calls.checkInEntry, entry)
    const checked_in_at = entryRow.checked_in_at ?? context.deps.now()
    await tx.updateTable('tournament_entries').set({ checked_in_at }).where('entry', '=', entry).execute()
    context.record({
      target: ['tournament', row.tournament],
      player: entryRow.user_num,
      before: { checked_in: entryRow.checked_in_at !== null },
      after: { checked_in: true, entry },
    })
    return { message: `${name} is checked in.` }
  }),

  mount(calls.removeEntry, async ({ entry, reason }, context) => {
    const tx = context.deps.db
    const { row, entryRow, name } = await lockEntry(tx, calls.removeEntry, entry)
    await tx.deleteFrom('tournament_entries').where('entry', '=', entry).execute()
    context.record({
      target: ['tournament', row.tournament],
      player: entryRow.user_num,
      before: { entry },
      after: {},
      reason,
    })
    return { message: `${name} is taken out.` }
  }),

  mount(calls.changeClubLeader, async ({ entry, user_id, reason }, context) => {
    const tx = context.deps.db
    const { row, entryRow, name } = await lockEntry(tx, calls.changeClubLeader, entry)
    if (entryRow.club === null) throw refuse(calls.changeClubLeader, 'notClub')
    if (entryRow.checked_in_at !== null) throw refuse(calls.changeClubLeader, 'checkedIn')
    const characters = await tx
      .selectFrom('characters as c')
      .innerJoin('accounts as a', 'a.user_num', 'c.user_num')
      .where((eb) => eb(eb.fn('lower', ['a.user_id']), '=', user_id.toLowerCase()))
      .where('c.kept_out', '=', '')
      .where((eb) => eb.not(isHidden('c')))
      .select(['a.user_num', 'c.cha_num', 'c.cha_name', 'c.cha_level', 'c.cha_class', 'c.cha_school'])
      .orderBy('c.cha_level', 'desc')
      .orderBy('c.cha_num')
      .execute()
    const leader = characters.find(({ cha_level }) => isLevelAllowed(row, cha_level))
    if (characters.length === 0) throw refuse(calls.changeClubLeader, 'playerNotFound')
    if (leader === undefined) throw refuse(calls.changeClubLeader, 'level')
    const existingEntry = await tx
      .selectFrom('tournament_entries')
      .where('tournament', '=', row.tournament)
      .where('user_num', '=', leader.user_num)
      .select('entry')
      .executeTakeFirst()
    if (existingEntry !== undefined) throw refuse(calls.changeClubLeader, 'registered')
    await tx.updateTable('tournament_entries').set(leader).where('entry', '=', entry).execute()
    context.record({
      target: ['tournament', row.tournament],
      player: leader.user_num,
      before: { leader: entryRow.user_num },
      after: { leader: leader.user_num, entry },
      reason,
    })
    return { message: `${name} is now led by ${leader.cha_name}.` }
  }),

  mount(calls.drawTournament, async (input, context) => {
    const tx = context.deps.db
    const row = await lockTournamentVersion(tx, calls.drawTournament, input)
    const { tournament, seeds, groups, advance } = input
    if (row.state === 'draft') throw refuse(calls.drawTournament, 'draft')
    if (row.state !== 'announced' && row.state !== 'drawn') throw refuse(calls.drawTournament, 'over')
    if (row.state === 'announced' && context.deps.now() < row.checkin_until) throw refuse(calls.drawTournament, 'early')
    if ((await selectMatches(tx, tournament)).some(({ outcome }) => outcome !== null))
      throw refuse(calls.drawTournament, 'started')
    const entries = await selectEntries(tx, tournament, context.deps.now())
    const presentEntries = new Set(
      entries.filter(({ checked_in_at }) => checked_in_at !== null).map(({ entry }) => entry),
    )
    if (new Set(seeds).size !== seeds.length || seeds.some((entry) => !presentEntries.has(entry)))
      throw refuse(calls.drawTournament, 'notIn')
    if (row.format === 'double' && seeds.length < 3) throw refuse(calls.drawTournament, 'tooFew')
    const groupFields = row.format === 'groups' ? { groups, advance: groups === 1 ? 1 : advance } : NO_GROUPS
    if (row.format === 'groups') {
      const smallestGroup = Math.floor(seeds.length / (groups ?? 1))
      if (groups === null || ![1, 2, 4, 8].includes(groups) || smallestGroup < 2)
        throw refuse(calls.drawTournament, 'groups')
      if (
        groupFields.advance === null ||
        ![1, 2, 4].includes(groupFields.advance) ||
        groupFields.advance >= smallestGroup
      )
        throw refuse(calls.drawTournament, 'advance')
    }
    await tx.deleteFrom('tournament_matches').where('tournament', '=', tournament).execute()
    await tx.updateTable('tournament_entries').set({ seed: null }).where('tournament', '=', tournament).execute()
    for (const [index, entry] of seeds.entries())
      await tx
        .updateTable('tournament_entries')
        .set({ seed: index + 1 })
        .where('entry', '=', entry)
        .execute()
    await setState(tx, row, { state: 'drawn', ...groupFields })
    const { save } = await redraw(tx, { tournament, shape: { ...toShape(row), ...groupFields }, rows: [] })
    await save()
    context.record({
      target: ['tournament', tournament],
      before: { state: row.state },
      after: { state: 'drawn', seeds, ...groupFields },
    })
    return { message: `The bracket of ${seeds.length} is drawn.` }
  }),

  mount(calls.scheduleMatches, async ({ tournament, matches, starts_at }, context) => {
    const tx = context.deps.db
    const row = await lockTournament(tx, tournament)
    if (row === undefined) throw refuse(calls.scheduleMatches, 'tournamentNotFound')
    if (isNotDrawn(row)) throw refuse(calls.scheduleMatches, 'notDrawn')
    if (row.state !== 'drawn') throw refuse(calls.scheduleMatches, 'over')
    const { numUpdatedRows } = await tx
      .updateTable('tournament_matches')
      .set({ starts_at: starts_at === null ? null : new Date(starts_at) })
      .where('tournament', '=', tournament)
      .where('match', 'in', matches)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) !== new Set(matches).size) throw refuse(calls.scheduleMatches, 'matchNotFound')
    context.record({ target: ['tournament', tournament], after: { matches, starts_at } })
    return { message: matches.length === 1 ? 'The match has its time.' : `${matches.length} matches have their time.` }
  }),

  mount(calls.enterResult, async (input, context) => {
    const tx = context.deps.db
    const now = context.deps.now()
    const { match, version, outcome } = input
    const matchReference = await tx
      .selectFrom('tournament_matches')
      .where('match', '=', match)
      .select('tournament')
      .executeTakeFirst()
    const row = matchReference && (await lockTournament(tx, matchReference.tournament))
    const rows = row === undefined ? [] : await selectMatches(tx, row.tournament)
    const matchRow = rows.find((row) => row.match === match)
    if (row === undefined || matchRow === undefined) throw refuse(calls.enterResult, 'matchNotFound')
    if (row.state === 'finalised') throw refuse(calls.enterResult, 'final')
    if (row.state !== 'drawn') throw refuse(calls.enterResult, 'over')
    if (matchRow.version !== version) throw refuse(calls.enterResult, 'conflict')
    if (matchRow.state !== 'ready' && matchRow.state !== 'done') throw refuse(calls.enterResult, 'notReady')
    if (outcome === '' && matchRow.outcome === null) throw refuse(calls.enterResult, 'resultNotFound')
    const [score1, score2] = outcome === 'played' ? [input.score1, input.score2] : [null, null]
    const isGroup = row.format === 'groups' && matchRow.stage === 1
    if (outcome === 'played' && score1 === score2 && !isGroup) throw refuse(calls.enterResult, 'draw')
    const { dropped, save } = await redraw(tx, {
      tournament: row.tournament,
      shape: toShape(row),
      rows,
      change: { match, by: context.staff.userNum, now, result: outcome === '' ? null : { outcome, score1, score2 } },
    })
    const redrawnMatches = dropped.map((row) => row.match)
    if (
      redrawnMatches.length !== input.redraws.length ||
      redrawnMatches.some((match) => !input.redraws.includes(match))
    )
      throw new Refusal(409, 'redraws', calls.enterResult.errors.redraws.message, {
        extra: { redraws: redrawnMatches },
      })
    await save()
    await tx
      .updateTable('tournaments')
      .set({ last_result_at: now, last_result_by: context.staff.userNum })
      .where('tournament', '=', row.tournament)
      .execute()
    context.record({
      target: ['tournament', row.tournament],
      before: { outcome: matchRow.outcome, score1: matchRow.score1, score2: matchRow.score2 },
      after: {
        match,
        outcome: outcome === '' ? null : outcome,
        score1,
        score2,
        ...(redrawnMatches.length > 0 && { redrawn: redrawnMatches }),
      },
    })
    return {
      message: outcome === '' ? 'The result is taken back.' : 'The result is entered.',
      redrawn: redrawnMatches.length,
    }
  }),

  mount(calls.finaliseTournament, async (input, context) => {
    const tx = context.deps.db
    const now = context.deps.now()
    const row = await lockTournamentVersion(tx, calls.finaliseTournament, input)
    const { tournament, name, last_result_at, last_result_by } = row
    if (isNotDrawn(row)) throw refuse(calls.finaliseTournament, 'notDrawn')
    if (row.state !== 'drawn') throw refuse(calls.finaliseTournament, 'over')
    const matches = await selectMatches(tx, tournament)
    if (!isDecided(matches) || last_result_at === null) throw refuse(calls.finaliseTournament, 'open')
    if (now.getTime() < last_result_at.getTime() + TOURNAMENT_OBJECTION_PERIOD_MS)
      throw refuse(calls.finaliseTournament, 'early')
    if (last_result_by === context.staff.userNum) throw refuse(calls.finaliseTournament, 'own')
    const entries = await selectEntries(tx, tournament, context.deps.now())
    const places = rankEntries(matches, toShape(row), getSeeds(entries))
    for (const [entry, place] of places)
      await tx.updateTable('tournament_entries').set({ place }).where('entry', '=', entry).execute()
    await setState(tx, row, { state: 'finalised', finalised_at: now, finalised_by: context.staff.userNum })
    const holders = findHolders(await selectOffers(tx, tournament), entries, places)
    const payment = { tournament, name, by: context.staff.userNum, now }
    const prizeCount = await payPrizes(tx, holders, payment, context.consumePayout)
    context.record({
      target: ['tournament', tournament],
      before: { state: 'drawn' },
      after: { state: 'finalised', prizes: prizeCount },
    })
    return {
      message: prizeCount === 0 ? `${name} is final.` : `${name} is final. ${formatPlural(prizeCount, 'prize')} sent.`,
    }
  }),

  mount(calls.correctPlace, async (input, context) => {
    const tx = context.deps.db
    const { tournament, entry, place, reason } = input
    const row = await lockTournamentVersion(tx, calls.correctPlace, input)
    if (row.state !== 'finalised') throw refuse(calls.correctPlace, 'notFinal')
    const entries = await selectEntries(tx, tournament, context.deps.now())
    const entryRow = entries.find((row) => row.entry === entry)
    if (entryRow === undefined) throw refuse(calls.correctPlace, 'entryNotFound')
    if (entryRow.place === place) throw refuse(calls.correctPlace, 'same')
    // The entry leaves its old place and takes the new one. The entries between the two places move by one place.
    for (const otherEntry of entries) {
      if (otherEntry.entry === entry || otherEntry.place === null) continue
      const placeWithoutEntry =
        entryRow.place !== null && otherEntry.place > entryRow.place ? otherEntry.place - 1 : otherEntry.place
      const newPlace = place !== null && placeWithoutEntry >= place ? placeWithoutEntry + 1 : placeWithoutEntry
      if (newPlace !== otherEntry.place)
        await tx
          .updateTable('tournament_entries')
          .set({ place: newPlace })
          .where('entry', '=', otherEntry.entry)
          .execute()
    }
    await tx.updateTable('tournament_entries').set({ place }).where('entry', '=', entry).execute()
    await setState(tx, row, {})
    context.record({
      target: ['tournament', tournament],
      player: entryRow.user_num,
      before: { place: entryRow.place },
      after: { place, entry },
      reason,
    })
    const placeText = place === null ? 'no longer has a place' : `now has place ${place}`
    return { message: `${entryRow.name} ${placeText}. Now check the prizes.` }
  }),

  mount(calls.payPrize, async ({ tournament, place }, context) => {
    const tx = context.deps.db
    const row = await lockTournament(tx, tournament)
    if (row === undefined) throw refuse(calls.payPrize, 'tournamentNotFound')
    if (row.state !== 'finalised') throw refuse(calls.payPrize, 'notFinal')
    const entries = await selectEntries(tx, tournament, context.deps.now())
    const places = new Map(entries.flatMap((row) => (row.place === null ? [] : [[row.entry, row.place]])))
    const holders = findHolders(await selectOffers(tx, tournament), entries, places)
    const prizeHolder = holders.find(({ offer }) => offer.place === place)
    if (prizeHolder?.holder === undefined || prizeHolder.blockReason !== null) throw refuse(calls.payPrize, 'nobody')
    const now = context.deps.now()
    const { entry, user_num, name } = prizeHolder.holder
    const prizes = (await selectPrizes(tx, tournament)).filter((row) => row.place === place)
    const currentPrize = prizes.find((row) => row.replaced_at === null)
    const existingPrize = prizes.find((row) => row.entry === entry && row.state !== 'withdrawn')
    if (existingPrize !== undefined && existingPrize === currentPrize) throw refuse(calls.payPrize, 'paid')
    const setReplaced = (prize: number, replaced_at: Date | null) =>
      tx.updateTable('tournament_prizes').set({ replaced_at }).where('prize', '=', prize).execute()
    if (currentPrize !== undefined) await setReplaced(currentPrize.prize, now)
    // A player who lost the place and regained it already has the prize.
    if (existingPrize !== undefined) await setReplaced(existingPrize.prize, null)
    else
      await payPrizes(
        tx,
        [prizeHolder],
        { tournament, name: row.name, by: context.staff.userNum, now },
        context.consumePayout,
      )
    context.record({
      target: ['tournament', tournament],
      player: user_num,
      before: { paid: currentPrize?.user_num ?? null },
      after: { place, paid: user_num },
    })
    const sentMessage = `The prize for place ${place} is on its way to ${name}.`
    return {
      message:
        existingPrize === undefined
          ? sentMessage
          : `${name} already has the prize for place ${place}. It counts again.`,
    }
  }),

  mount(calls.withdrawPrize, async ({ prize, reason }, context) => {
    const tx = context.deps.db
    const prizeRow = await tx
      .selectFrom('tournament_prizes')
      .where('prize', '=', prize)
      .selectAll()
      .forUpdate()
      .executeTakeFirst()
    if (prizeRow === undefined) throw refuse(calls.withdrawPrize, 'prizeNotFound')
    const holder = await tx
      .selectFrom('tournament_entries')
      .where('entry', '=', prizeRow.entry)
      .select(['place'])
      .executeTakeFirstOrThrow()
    if (holder.place === prizeRow.place && prizeRow.replaced_at === null) throw refuse(calls.withdrawPrize, 'right')
    if (!(await withdrawGift(tx, prizeRow.letter, context.deps.now()))) throw refuse(calls.withdrawPrize, 'gone')
    context.record({
      target: ['tournament', prizeRow.tournament],
      player: prizeRow.user_num,
      before: { prize: 'sent' },
      after: { prize: 'withdrawn', place: prizeRow.place },
      reason,
    })
    return { message: 'The prize has been withdrawn.' }
  }),
]

const NO_GROUPS = { groups: null, advance: null }
