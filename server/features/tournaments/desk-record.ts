import type { getDeskTournament } from '#contract/desk-tournaments.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { formatGift } from '#contract/gifts.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { TOURNAMENT_OBJECTION_PERIOD_MS } from '#contract/tournaments.ts'
import type { Deps } from '#server/deps.ts'
import type { Staff } from '#server/http/staff.ts'
import { selectUserIds } from '#server/http/staff.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import { selectMatches } from './bracket.ts'
import { findHolders, selectPrizes } from './prizes.ts'
import {
  createTables,
  findTournamentRow,
  getPhase,
  getSeeds,
  selectEntries,
  selectOffers,
  type TournamentRow,
  toSummary,
} from './queries.ts'
import { isDecided, rankEntries, type TournamentMatch } from './standings.ts'

/** Reads a tournament for the desk. Returns undefined if it does not exist. */
export async function readDeskTournament(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  id: number,
  staff: Staff,
): Promise<CallAnswer<typeof getDeskTournament> | undefined> {
  const row = await findTournamentRow(db, id)
  if (row === undefined) return undefined
  const [entries, matches, offers, prizes, currencies] = await Promise.all([
    selectEntries(db, id, now()),
    selectMatches(db, id),
    selectOffers(db, id),
    selectPrizes(db, id),
    selectCurrencyNames(db),
  ])
  const userIds = await selectUserIds(db, [
    row.last_result_by,
    row.finalised_by,
    ...matches.map((match) => match.result_by),
  ])
  const ranks = computeRanks(row, matches, entries)
  return {
    ...toSummary(row, now()),
    phase: getPhase(row, now(), isDecided(matches)),
    version: row.version,
    state: row.state,
    about: row.about,
    third_place: row.third_place,
    groups: row.groups,
    advance: row.advance,
    cancelled_why: row.cancelled_why,
    offers,
    list: entries.map((entry) => ({
      ...entry,
      checked_in: entry.checked_in_at !== null,
      is_staff: entry.user_type >= ADMIN_USER_TYPE,
      mmr: entry.cha_mmr,
    })),
    matches: matches.map((match) => ({
      ...match,
      result_by: match.result_by === null ? null : (userIds.get(match.result_by) ?? null),
    })),
    tables: createTables(row, matches, entries),
    prizes: prizes.map(({ replaced_at, ...prize }) => ({
      ...prize,
      replaced: replaced_at !== null,
    })),
    holders: findHolders(offers, entries, ranks).map(({ offer, holder, blockReason }) => ({
      place: offer.place,
      words: formatGift(offer, currencies),
      entry: holder?.entry ?? null,
      why_not: blockReason,
      is_paid: prizes.some(
        (prize) =>
          prize.place === offer.place &&
          prize.replaced_at === null &&
          prize.state !== 'withdrawn' &&
          prize.entry === holder?.entry,
      ),
    })),
    last_result_at: row.last_result_at,
    last_result_by: row.last_result_by === null ? null : (userIds.get(row.last_result_by) ?? null),
    finalised_at: row.finalised_at,
    finalised_by: row.finalised_by === null ? null : (userIds.get(row.finalised_by) ?? null),
    not_yet: findFinaliseBlockReason(row, isDecided(matches), staff, now()),
  }
}

type EntryRows = Awaited<ReturnType<typeof selectEntries>>

/** Returns the rank of each entry: the final rank, or the rank in a decided bracket. */
function computeRanks(
  row: TournamentRow,
  matches: readonly TournamentMatch[],
  entries: EntryRows,
): Map<number, number> {
  if (row.state === 'finalised')
    return new Map(entries.flatMap(({ entry, place }) => (place === null ? [] : [[entry, place] as const])))
  return row.state === 'drawn' && isDecided(matches) ? rankEntries(matches, row, getSeeds(entries)) : new Map()
}

/** Returns the reason why this operator cannot finalise a tournament now; null if they can, or if it is not drawn. */
function findFinaliseBlockReason(
  row: TournamentRow,
  areMatchesDecided: boolean,
  staff: Staff,
  now: Date,
): string | null {
  if (row.state !== 'drawn') return null
  if (!areMatchesDecided || row.last_result_at === null) return 'Some matches have no result yet.'
  const objectionsEnd = new Date(row.last_result_at.getTime() + TOURNAMENT_OBJECTION_PERIOD_MS)
  if (now < objectionsEnd) return `Players may object until ${formatManilaMinute(objectionsEnd)}.`
  return row.last_result_by === staff.userNum
    ? 'You entered the last result, so another operator has to make it final.'
    : null
}
