import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/durations.ts'
import type { Settings } from '#contract/settings.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { hasMailServer } from '#server/mail/servers.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { readSettingsNow } from '#server/settings.ts'
import { findProblems, type Problem } from './problems.ts'

/** Milliseconds that a problem has to last before an alert, because shorter ones are not worth an email at night. */
const ALERT_DELAY_MS = 10 * MINUTE_MS

type WatchDeps = Pick<Deps, 'db' | 'now' | 'config' | 'publicUrl'>

/**
 * Checks for problems and alerts the operators: once when one has lasted ten minutes, once when it is over. Emails are
 * queued in the same transaction, and a trigger queues the posts to Discord (DISCORD-1).
 */
export async function watchProblems(deps: WatchDeps): Promise<void> {
  const { db } = deps
  const problems = await findProblems(deps)
  await db.transaction().execute((tx) => updateAlerts(tx, problems, deps))
}

/** Returns the usable targets of alerts. An email address is empty without a mail server. */
export const getAlertTargets = (
  { alert_email: email, alert_webhook: webhook }: Pick<Settings, 'alert_email' | 'alert_webhook'>,
  canMail: boolean,
) => ({ email: canMail ? email : '', webhook })

type Alert = { alert: number; problem: string; detail: string; since: Date; over_at: Date | null }

/** Begins and ends alerts, and writes the mails about them. */
async function updateAlerts(tx: Db, problems: readonly Problem[], deps: WatchDeps): Promise<void> {
  const now = deps.now()
  await sql`select pg_advisory_xact_lock(hashtext('alerts'))`.execute(tx)
  for (const { problem, detail } of problems)
    await sql`
      insert into alerts (problem, detail, since) values (${problem}, ${detail.slice(0, 500)}, ${now})
      on conflict (problem) where over_at is null do update set detail = excluded.detail`.execute(tx)
  const txDeps = { db: tx, config: deps.config }
  const { email, webhook } = getAlertTargets(await readSettingsNow(txDeps), await hasMailServer(txDeps))
  const names = problems.map(({ problem }) => problem)
  const { rows: endedAlerts } = await sql<Alert & { told_at: Date | null }>`
    update alerts set over_at = ${now}
    where over_at is null and not problem = any(${names}::text[])
    returning alert, problem, detail, since, told_at, over_at`.execute(tx)
  // Without a target the alert stays pending, and is sent as soon as there is one.
  if (email === '' && webhook === '') return
  const { rows: startedAlerts } = await sql<Alert>`
    update alerts set told_at = ${now}
    where over_at is null and told_at is null and since <= ${new Date(now.getTime() - ALERT_DELAY_MS)}
    returning alert, problem, detail, since, over_at`.execute(tx)
  if (email === '') return
  const site = await readMailSite({ ...deps, db: tx })
  for (const alert of [...startedAlerts, ...endedAlerts.filter(({ told_at }) => told_at !== null)])
    await enqueueMail(tx, email, mails.alert(site, alert), now)
}
