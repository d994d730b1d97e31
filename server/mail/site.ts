import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { readSettingsNow } from '#server/settings.ts'
import type { MailSite } from './templates.ts'

/** What of the site a mail needs besides the database. */
export type MailPlace = Pick<Deps, 'config' | 'publicUrl'>

/** The site as mails name it, as the database or the transaction `db` has it now. */
export async function readMailSite({ db, config, publicUrl }: MailPlace & { db: Db }): Promise<MailSite> {
  const { site_name } = await readSettingsNow({ db, config })
  return { appName: site_name, publicUrl }
}
