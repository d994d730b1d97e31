import { checkInEntry, registerEntry, withdrawEntry } from '#contract/tournaments.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import { isHidden } from '#server/features/rankings/queries.ts'
import { lockTournament, type TournamentRow } from './queries.ts'

type NewEntry = { tournament: number; character: number; club: string; userNum: number }
type EntryReference = { tournament: number; userNum: number }

/**
 * Registers a character of the account. In a tournament of clubs it leads its club. The tournament's lock serialises
 * registrations, so two registrations cannot get the last spot.
 *
 * @throws Refusal 404, 409 or 422 as `registerEntry` declares
 */
export function registerCharacter(
  { db, now }: Deps,
  { tournament, character, club, userNum }: NewEntry,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockTournament(tx, tournament)
    if (row === undefined || row.state === 'draft') throw refuse(registerEntry, 'tournamentNotFound')
    const time = now()
    if (row.state !== 'announced' || time < row.registration_from || time >= row.registration_until)
      throw refuse(registerEntry, 'notOpen')
    const entries = await tx
      .selectFrom('tournament_entries')
      .where('tournament', '=', tournament)
      .select(['user_num', 'club'])
      .execute()
    if (entries.some(({ user_num }) => user_num === userNum)) throw refuse(registerEntry, 'registered')
    if (entries.length >= row.max_entries) throw refuse(registerEntry, 'full')
    const characterRow = await selectCharacters(tx, userNum).where('c.cha_num', '=', character).executeTakeFirst()
    if (characterRow === undefined) throw refuse(registerEntry, 'characterNotFound')
    if (characterRow.hidden) throw refuse(registerEntry, 'hidden')
    if (!isLevelAllowed(row, characterRow.cha_level)) throw refuse(registerEntry, 'level')
    if (row.kind === 'clubs' && club === '') throw refuse(registerEntry, 'clubMissing')
    const { hidden: _, ...entry } = characterRow
    await tx
      .insertInto('tournament_entries')
      .values({
        ...entry,
        tournament,
        user_num: userNum,
        club: row.kind === 'clubs' ? club : null,
        registered_at: time,
      })
      .execute()
      .catch(
        refuseViolations(registerEntry, {
          tournament_entries_club_key: 'clubTaken',
          tournament_entries_character_key: 'registered',
        }),
      )
  })
}

/** Deletes a player's entry. @throws Refusal 404, 409 */
export function deleteEntry({ db }: Deps, { tournament, userNum }: EntryReference): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockTournament(tx, tournament)
    if (row === undefined || row.state === 'draft') throw refuse(withdrawEntry, 'tournamentNotFound')
    if (row.state !== 'announced') throw refuse(withdrawEntry, 'drawn')
    const deletedEntry = await tx
      .deleteFrom('tournament_entries')
      .where('tournament', '=', tournament)
      .where('user_num', '=', userNum)
      .returning('entry')
      .executeTakeFirst()
    if (deletedEntry === undefined) throw refuse(withdrawEntry, 'notRegistered')
  })
}

/**
 * Checks a player's entry in while check-in is open. Has no effect on an entry that is checked in. @throws Refusal 404, 409
 */
export function checkInEntrant({ db, now }: Deps, { tournament, userNum }: EntryReference): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockTournament(tx, tournament)
    if (row === undefined || row.state === 'draft') throw refuse(checkInEntry, 'tournamentNotFound')
    const time = now()
    if (row.state !== 'announced' || time < row.checkin_from || time >= row.checkin_until)
      throw refuse(checkInEntry, 'notOpen')
    const entry = await tx
      .updateTable('tournament_entries')
      .set((eb) => ({ checked_in_at: eb.fn.coalesce('checked_in_at', eb.val(time)) }))
      .where('tournament', '=', tournament)
      .where('user_num', '=', userNum)
      .returning('entry')
      .executeTakeFirst()
    if (entry === undefined) throw refuse(checkInEntry, 'notRegistered')
  })
}

/** Returns whether characters of a level may take part. */
export const isLevelAllowed = ({ level_from, level_to }: TournamentRow, level: number) =>
  level >= level_from && (level_to === null || level <= level_to)

const selectCharacters = (db: Db, userNum: number) =>
  db
    .selectFrom('characters as c')
    .where('c.user_num', '=', userNum)
    .where('c.kept_out', '=', '')
    .select(['c.cha_num', 'c.cha_name', 'c.cha_level', 'c.cha_class', 'c.cha_school', isHidden('c').as('hidden')])

/** Reads a player's entry, and the player's characters, each with the reason why it may not take part. */
export async function readOwnEntry(db: Db, tournament: number, userNum: number) {
  const row = await db
    .selectFrom('tournaments')
    .where('tournament', '=', tournament)
    .where('state', '<>', 'draft')
    .selectAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const entry = await db
    .selectFrom('tournament_entries')
    .where('tournament', '=', tournament)
    .where('user_num', '=', userNum)
    .select(['entry', 'cha_num', 'club', 'checked_in_at'])
    .executeTakeFirst()
  const characters = await selectCharacters(db, userNum).orderBy('c.cha_level', 'desc').execute()
  return {
    entry: entry === undefined ? null : { ...entry, checked_in: entry.checked_in_at !== null },
    characters: characters.map(({ cha_num, cha_name, cha_level, hidden }) => ({
      cha_num,
      cha_name,
      cha_level,
      why_not: hidden ? 'cannot take part' : isLevelAllowed(row, cha_level) ? null : `level ${cha_level} does not fit`,
    })),
  }
}
