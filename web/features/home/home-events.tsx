import { getUpcomingEvents } from '#contract/events.ts'
import { clockParts } from '#contract/manila.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './home-events.module.css'

/** What is on or comes next; nothing while no event is planned. */
export function HomeEvents() {
  const { data } = useCall(getUpcomingEvents, {})
  if (data === undefined || data.data.length === 0) return null
  return (
    <div data-wide>
      <Panel
        title="Coming up"
        actions={
          <ButtonLink tone="quiet" to="/events">
            All<span className="visually-hidden"> events</span>
          </ButtonLink>
        }
      >
        <ul className={styles.events}>
          {data.data.map(({ event, title, starts_at }) => {
            const { date, minutes } = clockParts(Date.parse(starts_at))
            const [weekday, number, month] = date.split(' ')
            return (
              <li key={event}>
                <Link to={`/events/${event}`} className={styles.event}>
                  <time dateTime={starts_at}>
                    {weekday} <b>{number}</b> {month}
                  </time>
                  <span className={styles.title}>{title}</span>
                  <span className={styles.at}>{minutes}</span>
                </Link>
              </li>
            )
          })}
        </ul>
      </Panel>
    </div>
  )
}
