import { getClockParts } from '#contract/manila.ts'
import { getServerStatus } from '#contract/site.ts'
import { listMorePages } from '#contract/site-links.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { getEventPath } from '#web/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import { Value } from '#web/ui/value.tsx'
import styles from './menu-shortcuts.module.css'
import { getSiteQuery } from './shell-data.ts'

type ShortcutsProps = { onChoose: () => void }

/**
 * The area below the logo of the open menu: links that players use daily, as the arms of a signpost, or the operators'
 * picture.
 */
export function Signpost({ onChoose }: ShortcutsProps) {
  const drawing = '/art/signpost.svg'
  const picture = useArt(drawing)
  const event = useCall(getServerStatus, {}).data?.events[0]
  if (picture !== drawing)
    return <img className={styles.ownPicture} src={picture} alt="" width="264" height="236" loading="lazy" />
  return (
    <nav className={styles.signpost} aria-label="Every day" onClickCapture={onChoose}>
      <Link to="/daily" className={styles.arm}>
        <b>Daily reward</b> <span>every day</span>
      </Link>
      <Link to="/forum" className={styles.arm}>
        <b>Forum</b> <span>latest topics</span>
      </Link>
      <Link to={event === undefined ? '/events' : getEventPath(event.event)} className={styles.arm}>
        <b>{event?.title ?? 'Events'}</b>
        {event !== undefined && (
          <Value>{getClockParts(Date.parse(event.starts_at)).date.split(' ').slice(0, 3).join(' ')}</Value>
        )}
      </Link>
      <Link to="/rankings/tournament" className={styles.arm}>
        <b>Tournaments</b>
      </Link>
    </nav>
  )
}

/** The last line of the open menu: further pages that operators choose and sort (MENU-6). */
export function AlsoOpen({ onChoose }: ShortcutsProps) {
  const { data: site } = usePageQuery(getSiteQuery())
  const links = site === undefined ? [] : listMorePages(site.more_pages, site.pages, site.preparing)
  if (links.length === 0) return null
  return (
    <nav className={styles.morePages} aria-label="Also open" onClickCapture={onChoose}>
      <span aria-hidden="true">Also open</span>
      {links.map(({ to, label }) => (
        <Link key={to} to={to}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
