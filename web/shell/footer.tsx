import { SHELL } from '#contract/messages.ts'
import type { Section } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import { Link, OwnOrForeignLink } from '#web/ui/link.tsx'
import styles from './footer.module.css'
import { siteQuery, useShellData } from './shell-data.ts'

/** The policies of MENU-4 and our credits; a page's path is its name in lower case without spaces. */
const POLICIES = ['Operation Policy', 'Privacy Policy', 'Game Cash Agreement', 'Credits']

/** The site's links, drawn as the stops of a jeepney route, and the small print. */
export function Footer({ section }: { section: Section }) {
  const { data: site } = useLoaded(siteQuery())
  const appName = useShellData()?.appName ?? site?.app_name
  const { since, copyright } = site ?? SHELL
  return (
    <footer className={styles.footer} id="site-links">
      <Pinstripe />
      <RouteLine section={section} agentUrl={site?.agent_url ?? null} />
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

type Stop = { label: string; line: string; to: string; section: Section }

function stops(agentUrl: string | null): Stop[] {
  return [
    { label: 'Home', line: 'Rankings and club areas', to: '/', section: 'home' },
    { label: 'News', line: 'Boards and notices', to: '/news', section: 'news' },
    { label: 'Game Guides', line: 'Classes, story', to: '/instructions', section: 'guide' },
    { label: 'Item Shop', line: 'R-Coin, Milleage', to: '/itemshop', section: 'shop' },
    { label: 'Recharge', line: 'Redeem a code', to: '/topup', section: 'recharge' },
    { label: 'Forum', line: 'Ask and hang out', to: '/forum', section: 'forum' },
    { label: 'Download', line: 'Full client', to: '/downloads', section: 'download' },
    {
      label: 'Support',
      line: agentUrl === null ? 'Submit a ticket' : 'Talk to an agent',
      to: agentUrl ?? '/ticket',
      section: 'support',
    },
  ]
}

/** The footer's links of MENU-4 in their order; the stop of the current section is filled. */
function RouteLine({ section, agentUrl }: { section: Section; agentUrl: string | null }) {
  return (
    <nav aria-label="Site">
      <ul className={styles.route}>
        {stops(agentUrl).map((stop) => (
          <li key={stop.label} className={styles.stop} data-here={stop.section === section || undefined}>
            <OwnOrForeignLink to={stop.to} className={styles.link}>
              <span className={styles.label}>{stop.label}</span>
              <span className={styles.line}>{stop.line}</span>
            </OwnOrForeignLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
