import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'

let counter = 0
const next = () => ++counter

/** Inserts an account with all required values; no password can log in to it. @returns its UserNum */
export async function insertAccount(db: Db, values: Partial<Insertable<Schema['accounts']>> = {}): Promise<number> {
  const user_id = values.user_id ?? `player_${next()}`
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

/** Inserts a character of level 1 without any scores; the database sets the bases. @returns its ChaNum */
export async function insertCharacter(
  db: Db,
  values: Partial<Insertable<Schema['characters']>> & { user_num: number },
): Promise<number> {
  const { cha_num } = await db
    .insertInto('characters')
    .values({ cha_name: `Bayani${next()}`, cha_level: 1, cha_class: '1', cha_school: 0, ...values })
    .returning('cha_num')
    .executeTakeFirstOrThrow()
  return cha_num
}

/** Inserts a published news item. @returns its id */
export async function insertNews(db: Db, values: Partial<Insertable<Schema['news']>> = {}): Promise<number> {
  const { id } = await db
    .insertInto('news')
    .values({
      subject: `Balita ${next()}`,
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

/** Deletes every season, also those that have begun, which the database refuses to everybody else. */
export async function deleteSeasons(db: Db): Promise<void> {
  for (const table of ['season_standings', 'season_characters', 'season_boards', 'seasons'] as const) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
    await db.deleteFrom(table).execute()
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  }
}
