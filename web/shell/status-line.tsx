import { MINUTE_MS } from '#contract/durations.ts'
import { formatCount } from '#contract/numbers.ts'
import { getServerStatus, STATUS_INTERVAL_MS } from '#contract/site.ts'
import { useCall } from '#web/api/queries.ts'
import { getEventPath } from '#web/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { Value } from '#web/ui/value.tsx'
import { formatSpan } from './notice-time.ts'
import { useServerTime } from './server-clock.ts'
import { useShellData } from './shell-data.ts'
import styles from './status-line.module.css'

/**
 * Shows whether the game is up, the current and today's highest number of players online, and the next event
 * (STATUS-1). It omits unknown values. A desktop shows it in the header's strip, a tablet in the title row, a phone on
 * the home page and in the menu.
 */
export function StatusLine({ className = '' }: { className?: string | undefined }) {
  const { data } = useCall(getServerStatus, {}, { refetchInterval: STATUS_INTERVAL_MS })
  const renderedAt = useShellData()?.renderedAt ?? 0
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  const {
    up: isUp = null,
    players = null,
    peak_today: peak = null,
    demo: isDemo = false,
    events: [event] = [],
  } = data ?? {}
  if (isUp === null && event === undefined) return null
  return (
    <div className={`${styles.line} ${className}`}>
      {isUp !== null && (
        <span className={styles.state} data-up={isUp}>
          <span>{isUp ? 'Server up' : 'Server down'}</span>
          {players !== null && (
            <span>
              {' · '}
              <Value>{formatCount(players)}</Value> online
            </span>
          )}
          {players !== null && peak !== null && (
            <span>
              {', peak '}
              <Value>{formatCount(peak)}</Value>
            </span>
          )}
          {isDemo && <span> (demo)</span>}
        </span>
      )}
      {event !== undefined && (
        <Link to={getEventPath(event.event)} className={styles.event}>
          <span className={styles.title}>{event.title}</span> <span>{formatTimeToEvent(event, now)}</span>
        </Link>
      )}
    </div>
  )
}

/** Formats the time until an event begins; 'is on' once it has begun. */
export const formatTimeToEvent = ({ starts_at }: { starts_at: string }, now: number) =>
  Date.parse(starts_at) > now ? `in ${formatSpan(Date.parse(starts_at) - now)}` : 'is on'
