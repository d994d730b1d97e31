import { DOWNLOAD_TEXTS, getDownloadsAll, mailDownloadLink } from '#contract/downloads.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { selectDownloads } from './queries.ts'

/** The downloads' calls (CALL-2, DOWNLOAD-4). */
export const downloadCalls: MountedCall[] = [
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
    return { message: DOWNLOAD_TEXTS.linkMailed }
  }),
]
