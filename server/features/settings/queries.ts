import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { SETTINGS, type SettingName } from '#contract/settings.ts'
import type { Db } from '#server/db/open.ts'
import { cursorNumber, cutPage } from '#server/http/desk-lists.ts'
import { describeValue } from './describe.ts'

/** The changes of some settings, newest first. */
export async function selectSettingChanges(db: Db, names: readonly SettingName[], after: string) {
  const rows = await db
    .selectFrom('setting_changes as c')
    .where('c.name', 'in', names.length === 0 ? [''] : [...names])
    .$if(after !== '', (query) => query.where('c.change', '<', cursorNumber(after)))
    .select(['change', 'name', 'before', 'after', 'actor_name', 'undoes', 'created_at'])
    .select(
      sql<boolean>`not exists (select from setting_changes later where later.name = c.name and later.change > c.change)`.as(
        'is_latest',
      ),
    )
    .orderBy('change', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(
    rows,
    (row) => row.change,
    (row) => {
      const name = row.name as SettingName
      return {
        change: row.change,
        at: row.created_at,
        name,
        label: SETTINGS[name].label,
        before: describeValue(name, row.before),
        after: describeValue(name, row.after),
        actor: row.actor_name,
        undoes: row.undoes,
        is_latest: row.is_latest,
      }
    },
  )
}
