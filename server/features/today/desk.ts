import { type RawBuilder, sql } from 'kysely'
import type { DocumentName } from '#contract/documents.ts'
import { DAY_MS } from '#contract/durations.ts'
import { FIGURES_SHOWN_DAYS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { OWNER, type Permission } from '#contract/permissions.ts'
import type { FIRST_STEP_NAMES } from '#contract/today.ts'
import { getToday } from '#contract/today.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { selectDays } from '#server/features/figures/queries.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { readSettings } from '#server/settings.ts'
import { findNeeds } from './needs.ts'

/** The call of the desk's first screen. */
export const todayDeskCalls: MountedCall[] = [
  mount(getToday, async (_, { deps, staff }) => {
    const mayReadFigures = staff.permissions.has('figures.read')
    const [first_steps, needs, figures] = await Promise.all([
      readFirstSteps(deps, staff),
      findNeeds(deps, staff),
      mayReadFigures ? selectFigures(deps.browseDb, deps.now()) : null,
    ])
    return { first_steps, needs, figures }
  }),
]

/** Selects the figures of the last days, including today. A day without figures counts as 0. */
async function selectFigures(db: Db, now: Date) {
  const days = Array.from({ length: FIGURES_SHOWN_DAYS }, (_, index) =>
    toManilaDay(now.getTime() - (FIGURES_SHOWN_DAYS - 1 - index) * DAY_MS),
  )
  const rows = await selectDays(db, { from: days[0] ?? '', until: days.at(-1) ?? '' })
  const rowsByDay = new Map(rows.map((row) => [row.day, row]))
  const toSeries = (name: 'registrations' | 'active_players' | 'r_coin_spent' | 'milleage_spent') =>
    days.map((day) => rowsByDay.get(day)?.[name] ?? 0)
  return {
    days,
    counted_at: rowsByDay.get(toManilaDay(now))?.counted_at ?? null,
    registrations: toSeries('registrations'),
    active_players: toSeries('active_players'),
    r_coin_spent: toSeries('r_coin_spent'),
    milleage_spent: toSeries('milleage_spent'),
  }
}

type Step = (typeof FIRST_STEP_NAMES)[number]
type Check = { permission: Permission; isDone: (config: Deps['config']) => RawBuilder<unknown> }

const isSettingChanged = (setting: string) =>
  sql`exists (select from settings where name = ${sql.lit(setting)} and value is not null)`
/** Returns whether all of these pages are published. */
const arePublished = (...names: DocumentName[]) =>
  sql`(select count(*) from documents where name = any(${names}::text[]) and published is not null) = ${sql.lit(names.length)}`
/** Whether the server information has a value or a text. Names of rates without values don't count. */
const HAS_SERVER_INFO = sql`exists (
  select from documents where name = 'server-info' and jsonb_path_exists(published,
    '$.** ? (@.value like_regex "[^ ]" || @.text like_regex "[^ ]" || @.intro like_regex "[^ ]" || @.month_value like_regex "[^ ]")'))`
const isConfigured = (value: string | undefined) => sql.lit(value !== undefined)

/** The permission for each first step, and the SQL condition under which it is done. */
const CHECKS: Record<Step, Check> = {
  look: {
    permission: 'look.write',
    isDone: ({ appName }) =>
      sql`(${isConfigured(appName)} or ${isSettingChanged('site_name')}) and exists (select from looks)`,
  },
  mail: {
    permission: 'mail.configure',
    // A mail server entered at the desk has passed a test. The server from SMTP_URL counts after its first email.
    isDone: ({ smtpUrl }) => sql`
      exists (select from mail_servers where used_at is not null and ended_at is null)
      or ${isConfigured(smtpUrl)} and exists (select from mail_outbox where sent_at is not null and not kept_as_file)`,
  },
  'server-info': { permission: 'documents.write', isDone: () => HAS_SERVER_INFO },
  item: { permission: 'items.write', isDone: () => sql`exists (select from shop_items where visible)` },
  news: {
    permission: 'news.publish',
    // A scheduled item is not published yet.
    isDone: () => sql`exists (select from news where first_published_at is not null and created_at <= now())`,
  },
  policies: {
    permission: 'documents.write',
    isDone: ({ operatorName }) => sql`(${isConfigured(operatorName)} or ${isSettingChanged('operator_name')})
      and ${arePublished('operationpolicy', 'privacypolicy', 'gamecashagreement')}`,
  },
  backup: { permission: 'backups.manage', isDone: () => sql`exists (select from backups where copied_at is not null)` },
  bridge: {
    permission: 'game.write',
    // A paired bridge counts from its first report.
    isDone: () => sql`exists (select from bridges where revoked_at is null and seen_at is not null)`,
  },
  download: { permission: 'downloads.write', isDone: () => sql`exists (select from downloads where visible)` },
  owner: {
    permission: 'staff.write',
    // Owners can approve each other's calls once both have opened the desk.
    isDone: () => sql`
      (select count(*) from staff_members join staff_openings using (user_num) where role = ${sql.lit(OWNER)}) > 1`,
  },
  purchases: {
    permission: 'settings.write',
    // The step stays done when purchases are closed again.
    isDone: () => sql`
      exists (select from settings where name = 'purchases_open' and value = 'true'::jsonb)
      or exists (select from setting_changes where name = 'purchases_open' and after = 'true'::jsonb)`,
  },
}

/**
 * Returns the first steps of a new site that the caller may do, and for each whether it is done. One statement checks all
 * steps.
 *
 * @returns null after all steps are done, or while the list is hidden (DESK-17)
 */
async function readFirstSteps(deps: Deps, { permissions }: Staff) {
  if (!(await readSettings(deps)).first_steps) return null
  const allowedChecks = Object.entries(CHECKS).filter(([, { permission }]) => permissions.has(permission))
  if (allowedChecks.length === 0) return null
  const columns = allowedChecks.map(([step, { isDone }]) => sql`(${isDone(deps.config)}) as ${sql.ref(step)}`)
  const { rows } = await sql<Record<Step, boolean>>`select ${sql.join(columns)}`.execute(deps.browseDb)
  const steps = allowedChecks.map(([step]) => ({ step: step as Step, done: rows[0]?.[step as Step] === true }))
  return steps.every(({ done }) => done) ? null : steps
}
