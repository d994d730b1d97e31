import { useLocation } from 'react-router'
import { getClockParts, TIME_ZONE } from '#contract/manila.ts'
import { getFirstSegment } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { useLogout } from '#web/api/session-actions.ts'
import { LogoMark } from '#web/art/marks.tsx'
import { buildMainMenu, type MenuEntry } from '#web/menus.ts'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { Link, SiteOrExternalLink } from '#web/ui/link.tsx'
import { useAgentUrl } from './agent-url.ts'
import styles from './header-parts.module.css'
import { useServerTime } from './server-clock.ts'
import { getSiteQuery, useShellData, useThemePicture } from './shell-data.ts'

/**
 * The clock of the header (SHELL-2): date and zone, then hh:mm with smaller seconds. The HTML contains its space and
 * the zone, but no time, because the HTML is cached.
 */
export function Clock({ layout = 'fit' }: { layout?: 'fit' | 'one-line' }) {
  const now = useServerTime()
  const parts = now === null ? null : getClockParts(now)
  const [weekday, day, month, year] = parts?.date.split(' ') ?? []
  return (
    <time
      className={layout === 'fit' ? styles.clock : `${styles.clock} ${styles.oneLine}`}
      translate="no"
      dateTime={now === null ? undefined : new Date(now).toISOString()}
    >
      <span className={styles.leading}>
        {parts !== null && (
          <>
            <span className={styles.wide}>{`${weekday} `}</span>
            <span>{`${day} ${month}`}</span>
            <span className={styles.wide}>{` ${year}`}</span>{' '}
            <span className={styles.wide} aria-hidden="true">
              ·{' '}
            </span>
          </>
        )}
        {TIME_ZONE}
      </span>{' '}
      <span className={styles.minutes}>{parts?.minutes}</span>
      <span className={styles.seconds}>{parts === null ? '' : `:${parts.seconds}`}</span>
    </time>
  )
}

/**
 * The logo and the site's name, linked to the home page. The last word of a longer name is smaller and below the
 * others.
 */
export function LogoLink() {
  const appName = useShellData()?.appName ?? 'Tambayan Online'
  const lastSpace = appName.lastIndexOf(' ')
  const [mainName, lastWord] =
    lastSpace < 0 ? [appName, ''] : [appName.slice(0, lastSpace), appName.slice(lastSpace + 1)]
  const wideLogo = useThemePicture('logo_wide')
  if (wideLogo !== undefined)
    return (
      <Link to="/" className={styles.logo}>
        <img className={styles.wideLogo} src={wideLogo} alt={appName} />
      </Link>
    )
  return (
    <Link to="/" className={styles.logo}>
      <LogoMark size={44} />
      <span className={styles.name}>
        <span className={styles.main}>{mainName}</span> <span className={styles.rest}>{lastWord}</span>
      </span>
    </Link>
  )
}

/** Ends the session in the browser and on the server, then opens /login (SESSION-3). */
export function LogoutButton({ className }: { className?: string | undefined }) {
  const logOut = useLogout()
  return (
    <button type="button" className={className} onClick={() => void logOut()}>
      Logout
    </button>
  )
}

/** Returns the main menu's entries for the current page and the operators' settings. */
export function useMenuEntries(): MenuEntry[] {
  const { data: site } = usePageQuery(getSiteQuery())
  const onLoginPage = getFirstSegment(useLocation().pathname) === 'login'
  return buildMainMenu({ onLoginPage, agentUrl: useAgentUrl(), preparing: site?.preparing })
}

type SubMenuProps = { entry: MenuEntry; className?: string | undefined; link: string | undefined }

/** The pages below an entry of the main menu. Each link has the class `link`. */
export function SubMenu({ entry, className, link }: SubMenuProps) {
  return (
    <ul className={className}>
      {entry.links.map(({ label, to, for: audience }) => (
        <li key={label} data-for={audience}>
          <SiteOrExternalLink to={to} className={link}>
            <CurrencyText>{label}</CurrencyText>
          </SiteOrExternalLink>
        </li>
      ))}
    </ul>
  )
}
