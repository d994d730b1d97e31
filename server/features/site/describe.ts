import { CLUB_RANKING_PATH } from '#contract/clubs.ts'
import { arePurchasesOpen, isMaintenanceOn, type Settings } from '#contract/settings.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { type Notice, STATUS_EVENTS } from '#contract/site.ts'
import { parseMorePages, parseSiteLinks } from '#contract/site-links.ts'
import type { SiteTheme } from '#contract/theme.ts'
import type { Deps } from '#server/deps.ts'
import { getCurrencyNames, readSettings } from '#server/settings.ts'
import { isOnlineSimulated, simulatePeak, simulatePlayers } from '../bridge/demo-online.ts'
import { readGameState } from '../bridge/online.ts'
import { listFreePages, listUnpublishedPaths } from '../documents/published.ts'
import { listUpcoming } from '../events/queries.ts'
import { hasClubs } from '../rankings/clubs.ts'
import { selectSchoolCounts } from './queries.ts'

const hasEnded = (until: string, now: Date) => until !== '' && Date.parse(until) <= now.getTime()

/**
 * Lists the announcements on every page, most important first. Includes planned maintenance, and omits past announcements.
 */
function listNotices({ maintenance, ...settings }: Settings, now: Date): Notice[] {
  const notices: Notice[] = []
  const nextMaintenance = findMaintenance(maintenance, now)
  if (nextMaintenance !== null) notices.push({ kind: 'maintenance', ...nextMaintenance })
  const { announcement_text: text, announcement_link: link, announcement_until: until } = settings
  if (text !== '' && !hasEnded(until, now)) notices.push({ kind: 'announcement', text, link, until })
  return notices
}

/** Returns the current or the next maintenance, or null if there is none. */
export const findMaintenance = ({ from, until, message }: Settings['maintenance'], now: Date) =>
  from === '' || hasEnded(until, now) ? null : { from, until, text: message }

/** Returns the state of the game, the number of players, and the next events (STATUS-1). */
export async function readServerStatus({ db, cache, config, now }: Pick<Deps, 'db' | 'cache' | 'config' | 'now'>) {
  const time = now()
  const demo = await isOnlineSimulated({ db, config })
  const [{ maintenance }, { up, players, peak_today }, events] = await Promise.all([
    readSettings({ db, cache, config }),
    demo
      ? { up: true, players: simulatePlayers(time.getTime()), peak_today: simulatePeak(time) }
      : readGameState(db, time),
    listUpcoming(db, time, STATUS_EVENTS),
  ])
  const isInMaintenance = up !== null && isMaintenanceOn(maintenance, time)
  return { up: isInMaintenance ? false : up, players: isInMaintenance ? null : players, peak_today, demo, events }
}

/**
 * Lists the paths that menus and the sitemap omit, so no link is dead (ROUTE-8): pages without a text, and the club ranking
 * if the game has no clubs.
 */
export async function listOmittedPaths(deps: Pick<Deps, 'db' | 'cache'>): Promise<string[]> {
  return [...(await listUnpublishedPaths(deps)), ...((await hasClubs(deps)) ? [] : [CLUB_RANKING_PATH])]
}

/** Returns the site's data for the shell of every page, with the given theme. */
export async function describeSite(deps: Deps, theme: SiteTheme | null) {
  const { config, publicUrl, now } = deps
  const settings = await readSettings(deps)
  return {
    app_name: settings.site_name,
    since: settings.since_line,
    copyright: settings.copyright_line,
    public_url: publicUrl,
    agent_url: settings.agent_url || null,
    social_url: settings.social_url || null,
    more_links: parseSiteLinks(settings.more_links) ?? [],
    more_pages: parseMorePages(settings.more_pages) ?? [],
    operator_name: settings.operator_name,
    operator_email: settings.operator_email || null,
    demo: config.demo,
    registration_open: settings.registration_open,
    notices: listNotices(settings, now()),
    currencies: getCurrencyNames(settings),
    purchases_closed: arePurchasesOpen(settings, now())
      ? null
      : {
          text: settings.purchases_message || SHOP_TEXTS.closed,
          from: settings.purchases_open ? settings.purchases_from : '',
        },
    preparing: await listOmittedPaths(deps),
    pages: await listFreePages(deps),
    schools: await selectSchoolCounts(deps.db),
    look: theme,
  }
}
