import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { NO_MAIL_SERVER } from '#contract/errors.ts'
import { BRIDGE_OFFLINE_AFTER_MS } from '#contract/limits.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { readFreeBytes } from '#server/backup/backup-folder.ts'
import { isNightly } from '#server/backup/backup-jobs.ts'
import { findRestoredBackup, LAST_BACKUP_TIME } from '#server/backup/backup-records.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { countDoubled } from '#server/features/bridge/queries.ts'
import { selectUnknownUnits } from '#server/features/bridge/unknown-units.ts'
import { hasMailServer } from '#server/mail/servers.ts'

/** The age at which the last backup is too old, because the nightly backup was missed. */
const BACKUP_TOO_OLD_MS = 36 * HOUR_MS
/** The delay from which a job that has not started is a problem. */
const JOB_LATE_MS = 10 * MINUTE_MS
/** Jobs that were last due this long ago were removed from the program, and stay in the table. */
const JOB_RETIRED_MS = 7 * DAY_MS
const MAIL_STUCK_MS = 10 * MINUTE_MS
const RECEIPT_STUCK_MS = 30 * MINUTE_MS
/** This many failed requests within an hour, with a recent one among them, indicate a problem on the site. */
const FAILED_REQUESTS_LIMIT = 20
const FREE_BYTES_MIN = 500 * 1024 * 1024

/** A problem: a name that identifies it until it is over, and a sentence for the operator. */
export type Problem = { problem: string; detail: string }

/** Selects the current jobs with their states, by the database's clock. */
export async function selectJobs(db: Db) {
  const { rows } = await sql<{
    name: string
    state: 'well' | 'running' | 'new' | 'late' | 'failing'
    due_at: Date
    succeeded_at: Date | null
    failed_at: Date | null
    failure: string | null
  }>`
    select name, due_at, succeeded_at, failed_at, failure,
      case
        when failed_at > coalesce(succeeded_at, '-infinity') then 'failing'
        when leased_until > clock_timestamp() then 'running'
        when due_at < clock_timestamp() - ${JOB_LATE_MS} * interval '1 millisecond' then 'late'
        when succeeded_at is null then 'new'
        else 'well'
      end as state
    from jobs where due_at > clock_timestamp() - ${JOB_RETIRED_MS} * interval '1 millisecond' order by name`.execute(db)
  return rows
}

/**
 * Returns the age of the last backup by the database's clock. Without the nightly job, operators may use the tools of the
 * database, so a site without any backup of its own is not reported as a problem.
 */
export async function readBackupState({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<BackupState> {
  const nightly = await isNightly({ db, config })
  const { rows } = await sql<{ made_at: Date | null; too_old: boolean }>`
    select made_at, coalesce(clock_timestamp() - coalesce(made_at, case when ${nightly} then began end)
      > ${BACKUP_TOO_OLD_MS} * interval '1 millisecond', false) as too_old
    from (select ${LAST_BACKUP_TIME} as made_at,
      (select min(applied_at) from site_migrations) as began) site`.execute(db)
  const [state] = rows
  return {
    madeAt: state?.made_at ?? null,
    nightly,
    tooOld: state?.too_old ?? false,
    restored: await findRestoredBackup(db),
  }
}

type BackupState = {
  madeAt: Date | null
  nightly: boolean
  tooOld: boolean
  /** The backup that this database was restored from. */
  restored: Awaited<ReturnType<typeof findRestoredBackup>>
}

const NO_BRIDGE: Problem = {
  problem: 'no bridge',
  detail: 'The shop is open, but no bridge to the game is paired, so nothing that players buy reaches the game.',
}

/** Returns whether players can spend now. */
async function isSelling(db: Db): Promise<boolean> {
  const { rows } = await sql`select from purchases_open where opens_at <= clock_timestamp()`.execute(db)
  return rows.length > 0
}

/**
 * The number of refused starts that is a problem. A bridge that restarts after a crash is refused fewer times in a minute.
 */
const REFUSALS_LIMIT = 15

/** Finds problems of the bridge to the game, and problems that a restore of the game or of the site has caused. */
async function findBridgeProblems(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{ name: string; problem: string; is_offline: boolean }>`
    select b.name, b.problem, coalesce(b.seen_at, b.paired_at) < clock_timestamp()
        - ${BRIDGE_OFFLINE_AFTER_MS} * interval '1 millisecond' as is_offline
    from bridges b left join bridge_lease l using (bridge)
    where b.revoked_at is null order by l.bridge is null, b.seen_at desc nulls last, b.bridge desc limit 1`.execute(db)
  const [bridge] = rows
  if (bridge === undefined) return (await isSelling(db)) ? [NO_BRIDGE] : []
  const { rows: restoredDatabases } = await sql<{ waits: string }>`
    select 'Nothing is delivered' as waits from game_copy where restored_at is not null
    union all select 'Passwords, blocks and balances do not reach the game' from game_user_copy where restored_at is not null
    union all select 'Services wait' from game_character_copy where restored_at is not null`.execute(db)
  const { rows: refusedBridges } = await sql<{ name: string; refusal: string; refusals: number }>`
    select name, refusal, refusals from bridges
    where revoked_at is null and refusals >= ${REFUSALS_LIMIT} and refused_at > coalesce(seen_at, refused_at) - interval '1 day'`.execute(
    db,
  )
  const problems: Problem[] = refusedBridges.map(({ name, refusal, refusals }) => ({
    problem: 'bridge refused',
    detail: `The bridge “${name}” was refused ${refusals} times: ${refusal}`,
  }))
  if (bridge.is_offline)
    problems.push({
      problem: 'bridge',
      detail: `The bridge “${bridge.name}” is offline, so nothing reaches the game. Check the machine it runs on.`,
    })
  else if (bridge.problem !== '')
    problems.push({ problem: 'bridge', detail: `The bridge “${bridge.name}” cannot work: ${bridge.problem}` })
  const unknownUnits = await selectUnknownUnits(db)
  if (unknownUnits !== null)
    problems.push({
      problem: 'unknown units',
      detail: `The site was restored, and the game has ${formatPlural(unknownUnits.count, 'unit')}, worth ${formatCount(unknownUnits.sum)} in all, that the site does not know. The Game page lists them.`,
    })
  if (restoredDatabases.length > 0)
    problems.push({
      problem: 'game restored',
      detail: `${restoredDatabases.length === 1 ? 'A database of the game was' : 'Databases of the game were'} restored. ${restoredDatabases.map(({ waits }) => waits).join('. ')} until you confirm this on the Game page.`,
    })
  return problems
}

/** Selects failed deliveries that wait for an operator. */
export const FAILED_DELIVERIES = sql`
  select failed_at as at from deliveries
  where failed_at is not null and state = 'queued' and refund_requested_at is null order by queued_at, delivery`

/** Selects mails that were given up. */
export const FAILED_MAILS = sql`
  select given_up_at as at from mail_outbox where given_up_at is not null order by mail`

/** Failures are counted up to this number. */
const COUNTED_MAX = 99

/**
 * For this many days, items and balances that players have twice are a problem on Health. The Game page lists them
 * permanently.
 */
const DOUBLED_DAYS = 7

/** Finds items and balances that players have twice after a restore of the game, and that an operator has to decide about. */
async function findDoubledHoldings(db: Db, now: Date): Promise<Problem[]> {
  const doubledCounts = await countDoubled(db, new Date(now.getTime() - DOUBLED_DAYS * DAY_MS))
  const formatWorth = (amount: number, currency: string) => (amount === 0 ? [] : [`${formatCount(amount)} ${currency}`])
  const items = doubledCounts.units === 1 ? '1 item' : `${formatCount(doubledCounts.units)} items`
  const balances = doubledCounts.balances === 1 ? '1 balance' : `${formatCount(doubledCounts.balances)} balances`
  const parts = [
    ...(doubledCounts.units === 0
      ? []
      : [
          `${items} worth ${[...formatWorth(doubledCounts.r_coin, 'R-Coin'), ...formatWorth(doubledCounts.milleage, 'Milleage')].join(' and ') || 'nothing'}`,
        ]),
    ...(doubledCounts.balances === 0 ? [] : [`${balances}, ${formatCount(doubledCounts.balances_sum)} in all`]),
  ]
  if (parts.length === 0) return []
  return [
    {
      problem: 'doubled',
      detail: `After a restore of the game’s database, players may have twice: ${parts.join('; ')}. The Game page lists them.`,
    },
  ]
}

/** Finds failures that wait for an operator. */
async function findFailures(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{ deliveries: number; mails: number }>`
    select (select count(*)::int from (${FAILED_DELIVERIES} limit ${COUNTED_MAX + 1}) d) as deliveries,
      (select count(*)::int from (${FAILED_MAILS} limit ${COUNTED_MAX + 1}) m) as mails`.execute(db)
  const { deliveries = 0, mails = 0 } = rows[0] ?? {}
  const formatCapped = (count: number, singular: string, plural: string) =>
    count === 1 ? `1 ${singular}` : `${count > COUNTED_MAX ? `${COUNTED_MAX}+` : count} ${plural}`
  const problems: Problem[] = []
  if (deliveries > 0)
    problems.push({
      problem: 'deliveries',
      detail: `${formatCapped(deliveries, 'item', 'items')} could not be delivered. See the failed orders.`,
    })
  if (mails > 0)
    problems.push({
      problem: 'mails',
      detail: `${formatCapped(mails, 'email', 'emails')} could not be sent. See the failed mail.`,
    })
  return problems
}

/** Finds all current problems, for Health, Today, the menu and the alerts. */
export async function findProblems({ db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>): Promise<Problem[]> {
  const freeBytes = await readFreeBytes(config.dataDir).catch(() => null)
  const problems: Problem[] = []
  for (const { name, state, failure } of await selectJobs(db)) {
    if (state === 'failing')
      problems.push({ problem: `job ${name}`, detail: `The job “${name}” is failing: ${failure ?? ''}` })
    if (state === 'late') problems.push({ problem: `job ${name}`, detail: `The job “${name}” is not running.` })
  }
  const { rows } = await sql<{
    unsent: number
    stuck: boolean
    receipts: boolean
    errors: number
    last: string | null
  }>`
    with
      waiting as materialized (
        select created_at, attempts, away_at from mail_outbox where sent_at is null and given_up_at is null
        order by priority, next_attempt_at limit 1000),
      failing as (
        select sum(count)::int as errors, max(last_message) as last from recent_errors
        where hour >= date_trunc('hour', clock_timestamp()) - interval '1 hour' and starts_with(kind, 'request failed')
          and last_at > clock_timestamp() - interval '10 minutes')
    select (select count(*)::int from waiting) as unsent,
      (select coalesce(bool_or(attempts = 0 or away_at > (select coalesce(max(sent_at), '-infinity') from mail_outbox)), false)
          or count(*) >= 3 from waiting
        where created_at < clock_timestamp() - ${MAIL_STUCK_MS} * interval '1 millisecond')
        and not exists (select from mail_outbox
          where sent_at > clock_timestamp() - ${MAIL_STUCK_MS} * interval '1 millisecond') as stuck,
      exists (select from receipts_due
        where created_at < clock_timestamp() - ${RECEIPT_STUCK_MS} * interval '1 millisecond') as receipts,
      coalesce((select errors from failing), 0) as errors, (select last from failing) as last`.execute(db)
  const [counts] = rows
  if (counts?.stuck)
    problems.push({
      problem: 'mail',
      detail: `Email is not being sent: ${counts.unsent} ${counts.unsent === 1 ? 'is' : 'are'} waiting. Check the mail server.`,
    })
  if (counts?.receipts)
    problems.push({ problem: 'receipts', detail: 'Receipts have not been written for half an hour.' })
  if (counts !== undefined && counts.errors >= FAILED_REQUESTS_LIMIT)
    problems.push({
      problem: 'errors',
      detail: `${counts.errors} requests failed within an hour: ${counts.last ?? ''}`,
    })
  if (!(await hasMailServer({ db, config }))) problems.push({ problem: 'mail server', detail: NO_MAIL_SERVER })
  problems.push(
    ...(await findFailures(db)),
    ...(await findBridgeProblems(db)),
    ...(await findDoubledHoldings(db, now())),
  )
  const backup = await readBackupState({ db, config })
  if (backup.tooOld)
    problems.push({
      problem: 'backup',
      detail:
        backup.madeAt === null
          ? 'No backup has been made yet.'
          : `The last backup is from ${formatManilaMinute(backup.madeAt)}, Manila time.`,
    })
  if (freeBytes !== null && freeBytes < FREE_BYTES_MIN)
    problems.push({
      problem: 'disk',
      detail: `Only ${Math.round(freeBytes / 1024 / 1024)} MB are free on the site’s disk.`,
    })
  return problems
}

/** Returns the current problems, with the times of their start and of their alert. */
export async function readProblems({ browseDb: db, config, now }: Pick<Deps, 'browseDb' | 'config' | 'now'>) {
  const problems = await findProblems({ db, config, now })
  const alerts = await db
    .selectFrom('alerts')
    .where('over_at', 'is', null)
    .select(['problem', 'since', 'told_at'])
    .execute()
  return problems.map((currentProblem) => {
    const alert = alerts.find(({ problem }) => problem === currentProblem.problem)
    return {
      ...currentProblem,
      since: alert?.since ?? now(),
      told_at: alert?.told_at ?? null,
      over_at: null as Date | null,
    }
  })
}
