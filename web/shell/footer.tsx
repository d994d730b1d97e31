import { SHELL_TEXTS } from '#contract/messages.ts'
import { useDocument } from '#web/api/documents.ts'
import type { Section } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import { Link, SiteOrExternalLink } from '#web/ui/link.tsx'
import { useAgentUrl } from './agent-url.ts'
import styles from './footer.module.css'
import { getSiteQuery, useShellData } from './shell-data.ts'

/** The policies of MENU-4 and the credits. A page's path is its name in lower case without spaces. */
const POLICIES = ['Operation Policy', 'Privacy Policy', 'Game Cash Agreement', 'Credits']

/** The footer: the site's links, drawn as the stops of a jeepney route, and the small print. */
export function Footer({ section }: { section: Section }) {
  const { data: site } = usePageQuery(getSiteQuery())
  const appName = useShellData()?.appName ?? site?.app_name
  const { since, copyright } = site ?? SHELL_TEXTS
  return (
    <footer className={styles.footer} id="site-links">
      <Pinstripe />
      <label className={styles.fold}>
        <input type="checkbox" className="visually-hidden" /> All pages of the site
      </label>
      <RouteLine section={section} agentUrl={useAgentUrl()} />
      <div className={styles.print}>
        <div>
          {since !== '' && <p className={styles.since}>{since}</p>}
          {copyright !== '' && (
            <p>
              {copyright} {appName}
            </p>
          )}
        </div>
        <ul className={styles.policies}>
          {POLICIES.map((name) => (
            <li key={name}>
              <Link to={`/${name.replaceAll(' ', '').toLowerCase()}`}>{name}</Link>
            </li>
          ))}
        </ul>
        <div className={styles.notes}>
          <p>Icons: game-icons.net, CC BY 3.0</p>
          <p>All times are in Manila time (GMT+08:00)</p>
        </div>
      </div>
    </footer>
  )
}

const STOPS = [
  { label: 'Home', to: '/', section: 'home' },
  { label: 'News', to: '/news', section: 'news' },
  { label: 'Game Guides', to: '/instructions', section: 'guide' },
  { label: 'Item Shop', to: '/itemshop', section: 'shop' },
  { label: 'Recharge', to: '/topup', section: 'recharge' },
  { label: 'Forum', to: '/forum', section: 'forum' },
  { label: 'Download', to: '/downloads', section: 'download' },
] as const

/** The first pages of the guide. The footer links to the first page that is published. */
const GUIDES = ['/instructions', '/story', '/characters', '/gamesystem']

/** The footer's links in the order of MENU-4. The stop of the current section is filled. */
function RouteLine({ section, agentUrl }: { section: Section; agentUrl: string | null }) {
  const lines = useDocument('frame')?.stops
  const { data: site } = usePageQuery(getSiteQuery())
  const guide = GUIDES.find((path) => !site?.preparing.includes(path))
  const support = { label: 'Support', to: agentUrl ?? '/ticket', section: 'support' } as const
  const stops = [...STOPS, support].flatMap((stop) => {
    const to = stop.section === 'guide' ? guide : stop.to
    const line = stop.section === 'support' && agentUrl === null ? 'Submit a ticket' : lines?.[stop.section].line
    return to === undefined ? [] : [{ ...stop, to, line }]
  })
  return (
    <nav aria-label="Site" className={styles.stops}>
      <ul className={styles.route}>
        {stops.map((stop) => (
          <li key={stop.label} className={styles.stop} data-here={stop.section === section || undefined}>
            <SiteOrExternalLink to={stop.to} className={styles.link}>
              <span className={styles.label}>{stop.label}</span>
              {stop.line && <span className={styles.line}>{stop.line}</span>}
            </SiteOrExternalLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
