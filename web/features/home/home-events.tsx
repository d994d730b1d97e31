import { MINUTE_MS } from '#contract/durations.ts'
import { getClockParts } from '#contract/manila.ts'
import { getServerStatus } from '#contract/site.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { getEventPath } from '#web/paths.ts'
import { formatMaintenanceTime } from '#web/shell/notice-time.ts'
import { useServerTime } from '#web/shell/server-clock.ts'
import { getSiteQuery } from '#web/shell/shell-data.ts'
import { formatTimeToEvent } from '#web/shell/status-line.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Count, Value } from '#web/ui/value.tsx'
import styles from './home-events.module.css'

/** Shows the server's state, the players online, the next maintenance, and current and upcoming events (STATUS-2). */
export function HomeEvents() {
  const { data } = useCall(getServerStatus, {})
  const { data: site } = usePageQuery(getSiteQuery())
  const renderedAt = useRenderedAt()
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  const { up = null, players = null, events = [] } = data ?? {}
  const maintenance = site?.notices.find((notice) => notice.kind === 'maintenance')
  if (events.length === 0 && up === null && maintenance === undefined) return null
  return (
    <div data-wide>
      <Panel
        title="On the server"
        actions={
          <ButtonLink tone="quiet" to="/events">
            All events
          </ButtonLink>
        }
      >
        {(up !== null || maintenance !== undefined) && (
          <ul className={styles.facts}>
            {up !== null && <li data-up={up}>{up ? 'The server is up' : 'The server is down'}</li>}
            {players !== null && (
              <li>
                <Count of={players} unit="player online" units="players online" />
              </li>
            )}
            {maintenance !== undefined && <li>{formatMaintenanceTime(maintenance, now)}</li>}
          </ul>
        )}
        <ul className={styles.events}>
          {events.map(({ event, title, starts_at }) => {
            const { date, minutes } = getClockParts(Date.parse(starts_at))
            const [weekday, number, month] = date.split(' ')
            return (
              <li key={event}>
                <Link to={getEventPath(event)} className={styles.event}>
                  <time dateTime={starts_at} translate="no">
                    <Value>{weekday ?? ''}</Value> <b>{number}</b> <Value>{month ?? ''}</Value>
                  </time>
                  <span className={styles.title}>{title}</span>
                  <span className={styles.time}>
                    <Value>{minutes}</Value> <span>{formatTimeToEvent({ starts_at }, now)}</span>
                  </span>
                </Link>
              </li>
            )
          })}
        </ul>
      </Panel>
    </div>
  )
}
