import { formatManilaMinute } from '#contract/manila.ts'
import { OWNER } from '#contract/permissions.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { type MailSiteDeps, readMailSite } from '#server/mail/site.ts'
import { type MailSite, mails } from '#server/mail/templates.ts'

/** The email about an event: its subject, and lines that name the actor, the action and the target. */
export type Notice = { subject: string; lines: string[] }

/**
 * Emails every owner of the site, including the owner who acts and suspended owners, in the transaction of the event. Skips
 * blocked owners.
 *
 * @param options.server a former mail server that delivers the emails
 */
export async function mailOwners(
  tx: Db,
  { now, ...mailDeps }: MailSiteDeps & Pick<Deps, 'now'>,
  notice: Notice,
  { server }: { server?: number } = {},
): Promise<void> {
  await enqueueToOwners(tx, { now: now(), site: await readMailSite({ ...mailDeps, db: tx }) }, notice, server)
}

type MailContext = { now: Date; site: MailSite }

async function enqueueToOwners(tx: Db, { now, site }: MailContext, notice: Notice, server?: number): Promise<void> {
  const owners = await tx
    .selectFrom('staff_members as m')
    .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
    .where('m.role', '=', OWNER)
    .where('a.user_email', '<>', '')
    .where((eb) => eb.not(isBlocked('a', now)))
    .select(['a.user_id', 'a.user_email'])
    .orderBy('a.user_num')
    .execute()
  for (const { user_id, user_email } of owners)
    await enqueueMail(tx, user_email, mails.toOwners(site, user_id, notice), now, { priority: 'first', server })
}

/** Emails an account that it was offered a role, and how to accept it, in the transaction of the offer. */
export async function mailOffer(
  deps: Pick<Deps, 'db' | 'now' | 'config' | 'publicUrl'>,
  { user_id, user_email }: { user_id: string; user_email: string },
  { role, by }: { role: string; by: string },
): Promise<void> {
  if (user_email === '') return
  const site = await readMailSite(deps)
  await enqueueMail(deps.db, user_email, mails.roleOffered(site, user_id, { role, by }), deps.now())
}

/**
 * Emails every owner and the person concerned about a change of their access to the desk, in its transaction.
 *
 * @param change.what a sentence that names the person
 * @param change.by the operator who made the change at the desk; null for a command at the terminal
 */
export async function mailAboutMember(
  tx: Db,
  context: MailContext,
  { user_num, user_id, user_email }: { user_num: number; user_id: string; user_email: string },
  { what, by }: { what: string; by: string | null },
): Promise<void> {
  const author = by === null ? 'A command on the site’s server' : by
  await enqueueToOwners(tx, context, {
    subject: `The staff account of ${user_id}`,
    lines: [`${what} ${author} did this on ${formatManilaMinute(context.now)}, Manila time.`],
  })
  const owner = await tx
    .selectFrom('staff_members')
    .where('user_num', '=', user_num)
    .where('role', '=', OWNER)
    .select('user_num')
    .executeTakeFirst()
  if (owner === undefined && user_email !== '')
    await enqueueMail(tx, user_email, mails.staffAccount(context.site, user_id, { what, by }), context.now)
}
