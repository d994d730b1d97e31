import { type RawBuilder, sql } from 'kysely'
import type { DocumentName } from '#contract/documents.ts'
import { DAY_MS } from '#contract/durations.ts'
import { FIGURES_SHOWN_DAYS } from '#contract/limits.ts'
import { manilaDay } from '#contract/manila.ts'
import { OWNER, type Permission } from '#contract/permissions.ts'
import type { FIRST_STEPS } from '#contract/today.ts'
import { getToday } from '#contract/today.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { selectDays } from '#server/features/figures/queries.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { readSettings } from '#server/settings.ts'
import { findNeeds } from './needs.ts'

/** The call of the desk's first screen. */
export const todayDeskCalls: Mounted[] = [
  mount(getToday, async (_, { deps, staff }) => {
    const mayRead = staff.permissions.has('figures.read')
    const [first_steps, needs, figures] = await Promise.all([
      readFirstSteps(deps, staff),
      findNeeds(deps, staff),
      mayRead ? selectFigures(deps.browseDb, deps.now()) : null,
    ])
    return { first_steps, needs, figures }
  }),
]

/** The last days with today, a day that was not counted as 0. */
async function selectFigures(db: Db, now: Date) {
  const days = Array.from({ length: FIGURES_SHOWN_DAYS }, (_, index) =>
    manilaDay(now.getTime() - (FIGURES_SHOWN_DAYS - 1 - index) * DAY_MS),
  )
  const rows = await selectDays(db, { from: days[0] ?? '', until: days.at(-1) ?? '' })
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const toSeries = (name: 'registrations' | 'active_players' | 'r_coin_spent' | 'milleage_spent') =>
    days.map((day) => byDay.get(day)?.[name] ?? 0)
  return {
    days,
    counted_at: byDay.get(manilaDay(now))?.counted_at ?? null,
    registrations: toSeries('registrations'),
    active_players: toSeries('active_players'),
    r_coin_spent: toSeries('r_coin_spent'),
    milleage_spent: toSeries('milleage_spent'),
  }
}

type Step = (typeof FIRST_STEPS)[number]
type Check = { permission: Permission; done: (config: Deps['config']) => RawBuilder<unknown> }

const isSet = (setting: string) =>
  sql`exists (select from settings where name = ${sql.lit(setting)} and value is not null)`
/** Whether all of these pages are published. */
const arePublished = (...names: DocumentName[]) =>
  sql`(select count(*) from documents where name = any(${names}::text[]) and published is not null) = ${sql.lit(names.length)}`
/** Whether the server information states a value or has a text; the names of its rates alone say nothing to players. */
const SERVER_INFO_SAYS_SOMETHING = sql`exists (
  select from documents where name = 'server-info' and jsonb_path_exists(published,
    '$.** ? (@.value like_regex "[^ ]" || @.text like_regex "[^ ]" || @.intro like_regex "[^ ]" || @.month_value like_regex "[^ ]")'))`
const isGiven = (value: string | undefined) => sql.lit(value !== undefined)

/** The permission for each first step, and the database's test that it is done. */
const CHECKS: Record<Step, Check> = {
  look: {
    permission: 'look.write',
    done: ({ appName }) => sql`(${isGiven(appName)} or ${isSet('site_name')}) and exists (select from looks)`,
  },
  mail: {
    permission: 'mail.configure',
    // A server that was entered at the desk has accepted a test; one of SMTP_URL shows by its first mail.
    done: ({ smtpUrl }) => sql`
      exists (select from mail_servers where used_at is not null and ended_at is null)
      or ${isGiven(smtpUrl)} and exists (select from mail_outbox where sent_at is not null and not kept_as_file)`,
  },
  'server-info': { permission: 'documents.write', done: () => SERVER_INFO_SAYS_SOMETHING },
  item: { permission: 'items.write', done: () => sql`exists (select from shop_items where visible)` },
  news: {
    permission: 'news.publish',
    // A scheduled item is not out yet.
    done: () => sql`exists (select from news where first_published_at is not null and created_at <= now())`,
  },
  policies: {
    permission: 'documents.write',
    done: ({ operatorName }) => sql`(${isGiven(operatorName)} or ${isSet('operator_name')})
      and ${arePublished('operationpolicy', 'privacypolicy', 'gamecashagreement')}`,
  },
  backup: { permission: 'backups.manage', done: () => sql`exists (select from backups where copied_at is not null)` },
  bridge: {
    permission: 'game.write',
    // Being paired is not enough: the bridge must have reported since.
    done: () => sql`exists (select from bridges where revoked_at is null and seen_at is not null)`,
  },
  download: { permission: 'downloads.write', done: () => sql`exists (select from downloads where visible)` },
  owner: {
    permission: 'staff.write',
    // Two owners approve sensitive calls from when both have opened the desk.
    done: () => sql`
      (select count(*) from staff_members join staff_openings using (user_num) where role = ${sql.lit(OWNER)}) > 1`,
  },
  purchases: {
    permission: 'settings.write',
    // Closing them for a while does not bring the step back.
    done: () => sql`
      exists (select from settings where name = 'purchases_open' and value = 'true'::jsonb)
      or exists (select from setting_changes where name = 'purchases_open' and after = 'true'::jsonb)`,
  },
}

/**
 * Returns the steps of a new site before it opens, as far as the caller may do them, each with whether it is done. One
 * statement reads all of them.
 *
 * @returns null once everything is done, or while the list is hidden (DESK-17)
 */
async function readFirstSteps(deps: Deps, { permissions }: Staff) {
  if (!(await readSettings(deps)).first_steps) return null
  const own = Object.entries(CHECKS).filter(([, { permission }]) => permissions.has(permission))
  if (own.length === 0) return null
  const columns = own.map(([step, { done }]) => sql`(${done(deps.config)}) as ${sql.ref(step)}`)
  const { rows } = await sql<Record<Step, boolean>>`select ${sql.join(columns)}`.execute(deps.browseDb)
  const steps = own.map(([step]) => ({ step: step as Step, done: rows[0]?.[step as Step] === true }))
  return steps.every(({ done }) => done) ? null : steps
}
