import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { EVENTS, type EventView, getEvents, spanOfView } from '#contract/events.ts'
import { getMonth, manilaDay } from '#contract/manila.ts'
import { usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { useServerTime } from '#web/shell/server-clock.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import text from '#web/ui/text.module.css'
import styles from './events-page.module.css'
import {
  type Day,
  dayParts,
  type EventTime,
  eventPath,
  eventsPath,
  eventsSearch,
  listDays,
  startsOn,
  timeOn,
} from './events-view.ts'

/** The server's events, week by week or month by month. */
export default function EventsPage() {
  const { view, day } = usePageSearch(eventsSearch)
  const { data, error, refetch } = useCall(getEvents, { view, day })
  // The open tab leads to the present week or month, the other one to the same days.
  const tabTo = (other: EventView) => eventsPath({ view: other, day: other === view ? '' : day })
  const tabs = [
    { key: 'week', label: 'Week', to: tabTo('week') },
    { key: 'month', label: 'Month', to: tabTo('month') },
  ]
  return (
    <>
      <PageHead crumb="Events" title="Events" lines={[EVENTS.line]} />
      <div className={layout.panels}>
        <TabLinks label="How much is shown" tabs={tabs} current={view} list="calendar" />
        {data === undefined ? (
          <Panel>{error === null ? <Ghost /> : <Failed onRetry={() => void refetch()} />}</Panel>
        ) : (
          <Calendar view={view} first={data.first} events={data.data} />
        )}
        <p className={text.yellowLinks}>
          Times are Manila’s, GMT+08:00. <a href="/events.ics">All events as a calendar file</a>, for the calendar of
          your phone or computer.
        </p>
      </div>
    </>
  )
}

/** Formats a span: 'December 2026', or '23 to 29 Nov 2026'. */
function spanName(view: EventView, { from, until }: { from: number; until: number }): string {
  if (view === 'month') return getMonth(from).name
  const [begins, ends] = [dayParts(manilaDay(from)), dayParts(manilaDay(until - DAY_MS))]
  const month = begins.month === ends.month ? '' : ` ${begins.month}`
  return `${begins.number}${month} to ${ends.number} ${ends.month} ${manilaDay(until - DAY_MS).slice(0, 4)}`
}

type CalendarProps = { view: EventView; first: string; events: readonly EventTime[] }

function Calendar({ view, first, events }: CalendarProps) {
  const renderedAt = useRenderedAt()
  const today = manilaDay(useServerTime(MINUTE_MS) ?? renderedAt)
  const stepTo = (step: number) => eventsPath({ view, day: spanOfView(view, first, step).first })
  return (
    <Panel
      title={spanName(view, spanOfView(view, first))}
      actions={
        <>
          <ButtonLink to={stepTo(-1)} tone="quiet">
            Earlier
          </ButtonLink>
          <span className={layout.wideOnly}>
            <ButtonLink to={eventsPath({ view, day: '' })} tone="quiet">
              Today
            </ButtonLink>
          </span>
          <ButtonLink to={stepTo(1)} tone="quiet">
            Later
          </ButtonLink>
        </>
      }
    >
      {events.length === 0 ? (
        <div className={styles.none}>
          <EmptyState
            title={EVENTS.empty}
            line={EVENTS.emptyLine}
            action={<ButtonLink to="/news?board=events">News about events</ButtonLink>}
          />
        </div>
      ) : (
        <ol className={styles.days} data-view={view} id="calendar">
          {listDays(view, first, events).map((one) => (
            <DayCell key={one.day} {...one} isToday={one.day === today} isWeek={view === 'week'} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function DayCell({ day, isAround, events, isToday, isWeek }: Day & { isToday: boolean; isWeek: boolean }) {
  const { weekday, number, month } = dayParts(day)
  return (
    <li
      className={styles.day}
      data-around={isAround || undefined}
      data-today={isToday || undefined}
      data-empty={events.length === 0 || undefined}
      aria-current={isToday ? 'date' : undefined}
    >
      <p className={styles.date}>
        <span>{weekday}</span> <b>{number}</b> <span className={styles.month}>{month}</span>
      </p>
      {events.length > 0 && (
        <ul className={styles.events}>
          {events.map((event) => (
            <li key={`${event.event} ${event.starts_at}`}>
              <EventCard event={event} day={day} isLarge={isWeek && startsOn(day, event)} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** An event on a day; a large card, where it begins, has its picture and its prize. */
function EventCard({ event, day, isLarge }: { event: EventTime; day: string; isLarge: boolean }) {
  const { title, picture, prize, cancelled } = event
  return (
    <Link to={eventPath(event.event)} className={styles.event} data-cancelled={cancelled || undefined}>
      {isLarge && picture !== null && <img src={picture} alt="" width="450" height="300" loading="lazy" />}
      <span className={styles.time}>{cancelled ? 'cancelled' : timeOn(day, event)}</span>
      <span className={styles.title}>{title}</span>
      {isLarge && prize !== '' && !cancelled && <span className={styles.prize}>{prize}</span>}
    </Link>
  )
}

function Ghost() {
  return (
    <Loading className={layout.padded}>
      <Skeleton width="100%" height={360} />
    </Loading>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        title={EVENTS.failed}
        line="Check your connection and try again."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    </div>
  )
}
