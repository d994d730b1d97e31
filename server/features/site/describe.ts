import { CLUB_RANKING_PATH } from '#contract/clubs.ts'
import { isSelling, type Settings } from '#contract/settings.ts'
import { SHOP } from '#contract/shop.ts'
import type { Notice } from '#contract/site.ts'
import type { SiteTheme } from '#contract/theme.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/settings.ts'
import { listFreePages, listPreparing } from '../documents/service.ts'
import { hasClubs } from '../rankings/clubs.ts'
import { selectSchoolCounts } from './queries.ts'

/**
 * Lists the announcements of every page, most important first. Past announcements are left out; planned maintenance is
 * included.
 */
function listNotices({ maintenance, ...settings }: Settings, now: Date): Notice[] {
  const isOver = (until: string) => until !== '' && Date.parse(until) <= now.getTime()
  const notices: Notice[] = []
  if (maintenance.from !== '' && !isOver(maintenance.until)) {
    const { from, until, message } = maintenance
    notices.push({ kind: 'maintenance', text: message, from, until })
  }
  const { announcement_text: text, announcement_link: link, announcement_until: until } = settings
  if (text !== '' && !isOver(until)) notices.push({ kind: 'announcement', text, link, until })
  return notices
}

/** The paths that menus and the sitemap leave out: pages that are being prepared, and the club ranking where there is no club. */
export async function listLeftOut(deps: Pick<Deps, 'db' | 'cache'>): Promise<string[]> {
  return [...(await listPreparing(deps)), ...((await hasClubs(deps)) ? [] : [CLUB_RANKING_PATH])]
}

/** Returns the site's data for the shell of every page, with a theme. */
export async function describeSite(deps: Deps, look: SiteTheme | null) {
  const { config, publicUrl, now } = deps
  const settings = await readSettings(deps)
  return {
    app_name: settings.site_name,
    since: settings.since_line,
    copyright: settings.copyright_line,
    public_url: publicUrl,
    agent_url: settings.agent_url || null,
    social_url: settings.social_url || null,
    operator_name: settings.operator_name,
    operator_email: settings.operator_email || null,
    demo: config.demo,
    registration_open: settings.registration_open,
    notices: listNotices(settings, now()),
    purchases_closed: isSelling(settings, now())
      ? null
      : {
          text: settings.purchases_message || SHOP.closed,
          from: settings.purchases_open ? settings.purchases_from : '',
        },
    preparing: await listLeftOut(deps),
    pages: await listFreePages(deps),
    schools: await selectSchoolCounts(deps.db),
    look,
  }
}
