import { type Insertable, type InsertObject, type Selectable, sql, type Updateable } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'

let rowCount = 0
const nextNumber = () => ++rowCount

type Row<Table extends keyof Schema> = InsertObject<Schema, Table>

/** Inserts one or several rows. */
export const insertRows = <Table extends keyof Schema>(
  db: Db,
  table: Table,
  rows: Row<Table> | readonly Row<Table>[],
) =>
  db
    .insertInto(table)
    .values(rows as never)
    .execute()

/** Changes the rows whose columns have these values. */
export const updateRows = <Table extends keyof Schema>(
  db: Db,
  table: Table,
  conditions: Partial<Selectable<Schema[Table]>>,
  values: Updateable<Schema[Table]>,
) =>
  db
    .updateTable(table as 'accounts')
    .set(values as object)
    .where((eb) => eb.and(conditions as object))
    .execute()

/** Inserts an account with all required values, to which no password can log in. @returns its UserNum */
export async function insertAccount(db: Db, values: Partial<Insertable<Schema['accounts']>> = {}): Promise<number> {
  const user_id = values.user_id ?? `player_${nextNumber()}`
  const { user_num } = await db
    .insertInto('accounts')
    .values({
      user_id,
      user_email: `${user_id.toLowerCase()}@example.com`,
      first_name: 'Ana',
      last_name: 'Ramos',
      password_hash: '!',
      secret_question: 1,
      secret_answer_hash: '!',
      ...values,
    })
    .returning('user_num')
    .executeTakeFirstOrThrow()
  return user_num
}

/**
 * Inserts a character of level 1 without scores; the database sets the bases. Its `known_since` is in 1970, because
 * the column's default is the real time, which may be later than a test's clock. @returns its ChaNum
 */
export async function insertCharacter(
  db: Db,
  values: Partial<Insertable<Schema['characters']>> & { user_num: number },
): Promise<number> {
  const { cha_num } = await db
    .insertInto('characters')
    .values({
      cha_name: `Bayani${nextNumber()}`,
      cha_level: 1,
      cha_class: '1',
      cha_school: 0,
      known_since: new Date(0),
      ...values,
    })
    .returning('cha_num')
    .executeTakeFirstOrThrow()
  return cha_num
}

/** Inserts a published news item. @returns its id */
export async function insertNews(db: Db, values: Partial<Insertable<Schema['news']>> = {}): Promise<number> {
  const { id } = await db
    .insertInto('news')
    .values({
      subject: `Balita ${nextNumber()}`,
      type: 0,
      author: 'GM Bituin',
      content: '<p>Magandang gabi.</p>',
      created_at: null,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes every season, also running and past ones, which the database's triggers prevent otherwise. */
export async function deleteSeasons(db: Db): Promise<void> {
  for (const table of ['season_standings', 'season_characters', 'season_boards', 'seasons'] as const) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
    await db.deleteFrom(table).execute()
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  }
}

/** Inserts an ended league that is not final: two clubs with leaders and confirmed scores, and a prize for the first rank. */
export async function insertLeague(db: Db, { now, resultBy }: { now: Date; resultBy: number }) {
  const start = new Date(now.getTime() - 5 * DAY_MS)
  const endsAt = new Date(start.getTime() + DAY_MS)
  const title = { title: 'Club war', about: '', prize: '', visible: true, club_war: true }
  const times = { starts_at: start, ends_at: endsAt, repeats: 'once' as const, created_at: start, changed_at: start }
  const { event } = await db
    .insertInto('events')
    .values({ ...title, ...times })
    .returning('event')
    .executeTakeFirstOrThrow()
  const { league } = await db
    .insertInto('leagues')
    .values({
      name: 'League',
      counts: 'places',
      points: [10, 7],
      starts_at: start,
      ends_at: endsAt,
      state: 'announced',
      created_at: start,
      last_change_at: endsAt,
      last_change_by: resultBy,
    })
    .returning('league')
    .executeTakeFirstOrThrow()
  await insertRows(db, 'league_events', { league, event })
  await insertRows(db, 'league_offers', { league, place: 1, currency: 'r_coin', amount: 50_000 })
  const { war } = await db
    .insertInto('league_wars')
    .values({
      league,
      event,
      starts_at: start,
      entered_at: endsAt,
      entered_by: null,
      confirmed_at: endsAt,
      confirmed_by: resultBy,
    })
    .returning('war')
    .executeTakeFirstOrThrow()
  for (const rank of [1, 2]) {
    const club = league * 10 + rank + 100_000
    const user_num = await insertAccount(db)
    const leader = await insertCharacter(db, { user_num, club, known_since: new Date(0) })
    const name = `Club ${club}`
    await insertRows(db, 'clubs', { club, name, leader, founded_at: null })
    await insertRows(db, 'league_scores', { war, name, club, value: rank })
  }
  return { league, war }
}

/** Inserts a tournament of two entries, played or final, whose first rank has a prize. */
export async function insertTournament(
  db: Db,
  {
    state,
    now,
    resultBy,
    finalisedBy,
  }: { state: 'drawn' | 'finalised'; now: Date; resultBy: number; finalisedBy: number },
) {
  const start = new Date(now.getTime() - 5 * DAY_MS)
  const { tournament } = await db
    .insertInto('tournaments')
    .values({
      name: 'Cup',
      about: '',
      kind: 'players',
      format: 'single',
      max_entries: 2,
      registration_from: start,
      registration_until: new Date(start.getTime() + 1),
      checkin_from: start,
      checkin_until: new Date(start.getTime() + 1),
      starts_at: new Date(start.getTime() + 1),
      created_at: start,
      state,
      last_result_at: new Date(now.getTime() - 2 * DAY_MS),
      last_result_by: resultBy,
      ...(state === 'finalised' && { finalised_at: now, finalised_by: finalisedBy }),
    })
    .returning('tournament')
    .executeTakeFirstOrThrow()
  await insertRows(db, 'tournament_offers', { tournament, place: 1, currency: 'r_coin', amount: 50_000 })
  const entries: number[] = []
  for (const rank of [1, 2]) {
    const user_num = await insertAccount(db)
    const { entry } = await db
      .insertInto('tournament_entries')
      .values({
        tournament,
        user_num,
        cha_num: await insertCharacter(db, { user_num }),
        cha_name: `Bayani${rank}`,
        cha_level: 50,
        cha_class: '1',
        cha_school: 0,
        registered_at: start,
        checked_in_at: start,
        seed: rank,
        place: state === 'finalised' ? rank : null,
      })
      .returning('entry')
      .executeTakeFirstOrThrow()
    entries.push(entry)
  }
  const [firstEntry = 0, secondEntry = 0] = entries
  await insertRows(db, 'tournament_matches', {
    tournament,
    stage: 1,
    grp: 1,
    round: 1,
    number: 1,
    entry1: firstEntry,
    entry2: secondEntry,
    state: 'done',
    outcome: 'played',
    score1: 2,
    score2: 1,
    winner: firstEntry,
    result_by: resultBy,
    result_at: start,
  })
  return { tournament, firstEntry, secondEntry }
}
