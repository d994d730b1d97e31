import type { Db } from '#server/db/open.ts'

/** The number of characters per school. Reads every character, so the result is cached. */
export function countCharactersBySchool(db: Db) {
  return db
    .selectFrom('characters')
    .select(['cha_school as school', (eb) => eb.fn.countAll<number>().as('characters')])
    .groupBy('cha_school')
    .orderBy('cha_school')
    .execute()
}

/** The areas that clubs fight for. */
export function selectClubAreas(db: Db) {
  return db
    .selectFrom('club_areas')
    .select(['id', 'name', 'club', 'tax_percent', 'picture as img_url'])
    .orderBy('id')
    .execute()
}
