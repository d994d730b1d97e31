import { OWNER } from '#contract/permissions.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'

/** What happened, for the mail: its subject, and a line or more that name who did what to whom. */
export type Notice = { subject: string; lines: string[] }

/**
 * Emails every owner of the site, the one who did it too, in the transaction of what happened. Blocked owners are left
 * out; suspended ones are told.
 *
 * @param options.server a former mail server that the mails go over
 */
export async function mailOwners(
  tx: Db,
  { now, config, publicUrl }: Pick<Deps, 'now' | 'config' | 'publicUrl'>,
  notice: Notice,
  { server }: { server?: number } = {},
): Promise<void> {
  const owners = await tx
    .selectFrom('staff_members as m')
    .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
    .where('m.role', '=', OWNER)
    .where('a.user_email', '<>', '')
    .where((eb) => eb.not(isBlocked('a', now())))
    .select(['a.user_id', 'a.user_email'])
    .orderBy('a.user_num')
    .execute()
  const site = await readMailSite({ db: tx, config, publicUrl })
  for (const { user_id, user_email } of owners)
    await enqueueMail(tx, user_email, mails.toOwners(site, user_id, notice), now(), { priority: 'first', server })
}
