import { sql } from 'kysely'
import { DOWNLOADS, getDownloadsAll, mailDownloadLink } from '#contract/downloads.ts'
import type { Db } from '#server/db/open.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'

/** The downloads' calls (CALL-2, DOWNLOAD-4). */
export const downloadCalls: Mounted[] = [
  mount(getDownloadsAll, async (_, { deps }) => {
    const links = await selectDownloads(deps.db)
    return { data: links }
  }),
  mount(mailDownloadLink, async (_, { deps, session }) => {
    const { user_email } = await deps.db
      .selectFrom('accounts')
      .where('user_num', '=', session.userNum)
      .select('user_email')
      .executeTakeFirstOrThrow()
    const content = mails.downloadLink(await readMailSite(deps), session.userId)
    await enqueueMail(deps.db, user_email, content, deps.now(), { priority: 'first' })
    return { message: DOWNLOADS.linkMailed }
  }),
]

/** The links to show, in the order to try them. */
function selectDownloads(db: Db) {
  return db
    .selectFrom('downloads')
    .where('visible', '=', true)
    .where(sql<boolean>`is_link(link_address)`)
    .select(['seq', 'link_name', 'link_address', 'link_type', 'link_description', 'link_date', 'link_icon'])
    .select(['link_version', 'link_size', 'link_changes'])
    .orderBy('position')
    .orderBy('seq')
    .execute()
}
