import { deriveTokens, isDark, type ThemeColors } from '#contract/theme-colors.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { selectPublished } from '#server/features/theme/queries.ts'
import { readSettingsNow } from '#server/settings.ts'
import type { MailColors, MailSite } from './templates.ts'

/** Chooses the colors of emails. Their background is the lighter of ground and paper, because mail programs show them on white. */
function chooseMailColors(colors: ThemeColors): MailColors {
  const { ink: ground, paper, signal } = deriveTokens(colors)
  return isDark(ground)
    ? { paper, ink: ground, button: ground, label: signal }
    : { paper: ground, ink: paper, button: signal, label: ground }
}

/** The dependencies for emails, in addition to the database. */
export type MailSiteDeps = Pick<Deps, 'config' | 'publicUrl'>

/** Reads the site's name and colors for emails, as the database or the transaction `db` has them now. */
export async function readMailSite({ db, config, publicUrl }: MailSiteDeps & { db: Db }): Promise<MailSite> {
  const { site_name } = await readSettingsNow({ db, config })
  const { colors } = (await selectPublished(db)).value
  return { appName: site_name, publicUrl, colors: chooseMailColors(colors) }
}
