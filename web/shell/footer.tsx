import { SHELL } from '#contract/messages.ts'
import { useLoaded } from '#web/api/queries.ts'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import { Link } from '#web/ui/link.tsx'
import styles from './footer.module.css'
import { RouteLine } from './route-line.tsx'
import { siteQuery, useShellData } from './shell-data.ts'

/** The policies of SPEC §2.2 and ours; each stands at its name in small letters. */
const POLICIES = ['Operation Policy', 'Privacy Policy', 'Game Cash Agreement', 'Credits']

/** The site's links as the stops of a jeepney route, and the small print. */
export function Footer() {
  const { data: site } = useLoaded(siteQuery())
  const appName = useShellData()?.appName ?? site?.app_name
  return (
    <footer className={styles.footer} id="site-links">
      <Pinstripe />
      <RouteLine agentUrl={site?.agent_url ?? null} />
      <div className={styles.print}>
        <div>
          <p className={styles.since}>{SHELL.since}</p>
          <p>
            {SHELL.copyright} {appName}
          </p>
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
          <p>Times are Manila time, GMT+08:00</p>
        </div>
      </div>
    </footer>
  )
}
