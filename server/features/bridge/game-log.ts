import { sql } from 'kysely'
import type { sendGameLog } from '#contract/bridge-characters.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { GAME_LOG_SHOWN_MAX, type getGameLog } from '#contract/players-online.ts'
import type { Deps } from '#server/deps.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { readSettings } from '#server/settings.ts'
import { isRanked } from '../rankings/queries.ts'
import { toDate } from './characters.ts'
import { checkLease } from './lease.ts'

/**
 * Replaces the stored kills and wars with the newest ones, except those whose time is not accepted. A kill reveals who
 * played when, so kills are stored only if the site shows them (STATUS-5). Changes nothing while a restore of the game's
 * database waits.
 *
 * @throws Refusal 409 when another agent works
 */
export async function storeGameLog(
  deps: Deps,
  caller: BridgeCaller,
  { kills, wars }: ValidInput<typeof sendGameLog>,
): Promise<void> {
  const { show_who_plays } = await readSettings(deps)
  const toStoredRows = <Row extends { num: number; at: number }>(rows: readonly Row[]) =>
    [...new Map(rows.map((row) => [row.num, row])).values()].flatMap(({ at, ...row }) => {
      const happened_at = toDate(at)
      return happened_at === null ? [] : [{ ...row, happened_at }]
    })
  const storedKills = show_who_plays ? toStoredRows(kills) : []
  const storedWars = toStoredRows(wars)
  await deps.db.transaction().execute(async (tx) => {
    const isRestoreOpen = await checkLease(tx, caller)
    if (isRestoreOpen) return
    await tx.deleteFrom('game_kills').execute()
    await tx.deleteFrom('game_wars').execute()
    if (storedKills.length > 0) await tx.insertInto('game_kills').values(storedKills).execute()
    if (storedWars.length > 0) await tx.insertInto('game_wars').values(storedWars).execute()
  })
}

/** Returns the last kills between ranked characters, and the last wars that known clubs have won. */
export async function readGameLog(deps: Deps): Promise<CallAnswer<typeof getGameLog>> {
  const { browseDb: db, now } = deps
  const { show_who_plays } = await readSettings(deps)
  const buildCharacter = (column: string) => sql`(
    select json_build_object('ChaNum', c.cha_num, 'ChaName', c.cha_name, 'ChaClass', c.cha_class, 'ChaSchool', c.cha_school)
    from characters c left join accounts a on a.user_num = c.user_num
    where c.cha_num = ${sql.ref(column)} and ${isRanked(now())})`
  const buildClub = (column: string) =>
    sql`(select json_build_object('GuNum', g.club, 'GuName', g.name) from clubs g where g.club = ${sql.ref(column)})`
  type GameLog = CallAnswer<typeof getGameLog>
  const kills = show_who_plays
    ? await sql<GameLog['kills'][number]>`
        select * from (
          select happened_at as at, ${buildCharacter('k.killer')} as killer, ${buildCharacter('k.victim')} as victim, num
          from game_kills k) k
        where killer is not null and victim is not null order by num desc limit ${GAME_LOG_SHOWN_MAX}`.execute(db)
    : { rows: [] }
  const wars = await sql<GameLog['wars'][number]>`
    select * from (
      select happened_at as at, ${buildClub('w.winner')} as winner, ${buildClub('w.loser')} as loser,
        (select name from club_areas r where r.visible and r.game_region = w.region) as area, num
      from game_wars w) w
    where winner is not null order by num desc limit ${GAME_LOG_SHOWN_MAX}`.execute(db)
  return { kills: kills.rows, wars: wars.rows }
}
