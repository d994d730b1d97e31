import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { EVENT_TEXTS, type EventView, getEvents, getViewSpan } from '#contract/events.ts'
import { getClockParts, getMonth, toManilaDay } from '#contract/manila.ts'
import { usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { getEventPath } from '#web/paths.ts'
import { formatSpan } from '#web/shell/notice-time.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { useServerTime } from '#web/shell/server-clock.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import styles from './events-page.module.css'
import {
  type Day,
  describeEventTime,
  type EventTime,
  eventsSearch,
  formatDayParts,
  formatEventDays,
  formatTimeOnDay,
  getEventsPath,
  getNextWeekQuery,
  isCurrentWeek,
  listDays,
} from './events-view.ts'

/** The page with the server's events by week or by month. */
export default function EventsPage() {
  const { view, day } = usePageSearch(eventsSearch)
  const { data, error, refetch } = useCall(getEvents, { view, day })
  // The open tab links to the current week or month, the other tab to the month or week of the shown day.
  const getTabPath = (tabView: EventView) => getEventsPath({ view: tabView, day: tabView === view ? '' : day })
  const tabs = [
    { key: 'week', label: 'Week', to: getTabPath('week') },
    { key: 'month', label: 'Month', to: getTabPath('month') },
  ]
  return (
    <>
      <PageHead crumb="Events" title="Events" lines={[EVENT_TEXTS.description]} />
      <div className={layout.panels}>
        <TabLinks label="How much is shown" tabs={tabs} current={view} list="calendar" />
        {data === undefined ? (
          <Panel>{error === null ? <CalendarSkeleton /> : <LoadFailure onRetry={() => void refetch()} />}</Panel>
        ) : (
          <Calendar view={view} firstDay={data.first} events={data.data} isCurrent={isCurrentWeek({ view, day })} />
        )}
        <p className={text.yellowLinks}>
          Times are Manila’s, GMT+08:00. <a href="/events.ics">All events as a calendar file</a>, for the calendar of
          your phone or computer.
        </p>
      </div>
    </>
  )
}

/** Formats a period: 'December 2026', or '23 to 29 Nov 2026'. */
function formatViewSpan(view: EventView, { from, until }: { from: number; until: number }): string {
  if (view === 'month') return getMonth(from).name
  const [start, end] = [formatDayParts(toManilaDay(from)), formatDayParts(toManilaDay(until - DAY_MS))]
  const month = start.month === end.month ? '' : ` ${start.month}`
  return `${start.number}${month} to ${end.number} ${end.month} ${toManilaDay(until - DAY_MS).slice(0, 4)}`
}

type CalendarProps = { view: EventView; firstDay: string; events: readonly EventTime[]; isCurrent: boolean }

/** A month as a calendar; a week as a strip of days, the poster of the current or next event, and the other events. */
function Calendar({ view, firstDay, events, isCurrent }: CalendarProps) {
  const renderedAt = useRenderedAt()
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  const today = toManilaDay(now)
  const nextWeekEvents = usePageQuery(getNextWeekQuery(firstDay), { enabled: isCurrent }).data?.data ?? []
  const getStepPath = (step: number) => getEventsPath({ view, day: getViewSpan(view, firstDay, step).first })
  const poster = isCurrent
    ? [...events, ...nextWeekEvents].find(({ ends_at, cancelled }) => !cancelled && Date.parse(ends_at) > now)
    : undefined
  const isNotPoster = (event: EventTime) => event !== poster
  const days = listDays(view, firstDay, events)
  return (
    <>
      <Panel
        title={formatViewSpan(view, getViewSpan(view, firstDay))}
        actions={
          <>
            <ButtonLink to={getStepPath(-1)} tone="quiet">
              Earlier
            </ButtonLink>
            <span className={layout.wideOnly}>
              <ButtonLink to={getEventsPath({ view, day: '' })} tone="quiet">
                Today
              </ButtonLink>
            </span>
            <ButtonLink to={getStepPath(1)} tone="quiet">
              Later
            </ButtonLink>
          </>
        }
      >
        {view === 'week' && (
          <ol className={styles.strip} id="calendar">
            {days.map((dayEntry) => (
              <StripDay key={dayEntry.day} {...dayEntry} isToday={dayEntry.day === today} />
            ))}
          </ol>
        )}
        {events.length === 0 && !isCurrent && (
          <div className={styles.emptyState}>
            <EmptyState
              title={EVENT_TEXTS.empty}
              line={EVENT_TEXTS.emptyDescription}
              action={<ButtonLink to="/news?board=events">News about events</ButtonLink>}
            />
          </div>
        )}
        {view === 'month' && events.length > 0 && (
          <ol className={styles.days} id="calendar">
            {days.map((dayEntry) => (
              <DayCell key={dayEntry.day} {...dayEntry} isToday={dayEntry.day === today} />
            ))}
          </ol>
        )}
      </Panel>
      {view === 'week' && (
        <>
          {poster !== undefined && <Poster event={poster} now={now} />}
          <EventRows title="This week" events={events.filter(isNotPoster)} now={now} hasTitle={isCurrent} />
          <EventRows title="Coming up" events={nextWeekEvents.filter(isNotPoster)} now={now} hasTitle />
        </>
      )}
    </>
  )
}

/** A day in the strip of a week, with a mark for each event. It links to the day's first event. */
function StripDay({ day, events, isToday }: Day & { isToday: boolean }) {
  const { weekday, number } = formatDayParts(day)
  const [firstEvent] = events
  const content = (
    <>
      <span>{weekday}</span> <b>{number}</b>
      <span className={styles.dots} aria-hidden="true">
        {events.slice(0, 3).map(({ event, starts_at }) => (
          <i key={`${event} ${starts_at}`} />
        ))}
      </span>
    </>
  )
  return (
    <li data-today={isToday || undefined} aria-current={isToday ? 'date' : undefined}>
      {firstEvent === undefined ? (
        <span className={styles.stripDay}>{content}</span>
      ) : (
        <Link className={styles.stripDay} to={getEventPath(firstEvent.event)}>
          {content}
          <span className="visually-hidden">{events.map(({ title }) => title).join(', ')}</span>
        </Link>
      )}
    </li>
  )
}

type EventProps = { event: EventTime; now: number }

/** The poster of the current or next event. */
function Poster({ event, now }: EventProps) {
  const { title, picture, prize, starts_at } = event
  const start = Date.parse(starts_at)
  const { date, minutes } = getClockParts(start)
  return (
    <Panel className={styles.poster}>
      {picture !== null && (
        <img src={picture} alt="" width="900" height="600" decoding="async" className={styles.posterPicture} />
      )}
      <p className={styles.badge}>{describeEventTime(event, now)}</p>
      <div className={styles.posterText}>
        <h2>
          {title} <Value className={styles.time}>{minutes}</Value>
        </h2>
        {prize !== '' && <p>{prize}</p>}
        <div className={styles.posterFoot}>
          <ButtonLink to={getEventPath(event.event)}>Details</ButtonLink>
          <span>
            <Value>{date.split(' ').slice(0, 3).join(' ')}</Value>
            {start > now && (
              <>
                , in <Value>{formatSpan(start - now)}</Value>
              </>
            )}
          </span>
        </div>
      </div>
    </Panel>
  )
}

type EventRowsProps = { title: string; events: readonly EventTime[]; now: number; hasTitle: boolean }

/** Lists events as rows on a phone and as cards on wider screens. */
function EventRows({ title, events, now, hasTitle }: EventRowsProps) {
  if (events.length === 0) return null
  return (
    <section aria-label={title}>
      {hasTitle && <h2 className={styles.rowsTitle}>{title}</h2>}
      <ul className={styles.rows}>
        {events.map((event) => (
          <EventRow key={`${event.event} ${event.starts_at}`} event={event} now={now} />
        ))}
      </ul>
    </section>
  )
}

function EventRow({ event, now }: EventProps) {
  const { title, picture, prize, cancelled, starts_at } = event
  const { weekday, number, month } = formatEventDays(event)
  const state = cancelled ? 'cancelled' : describeEventTime(event, now)
  return (
    <li>
      <Link to={getEventPath(event.event)} className={styles.row} data-cancelled={cancelled || undefined}>
        {picture !== null && <img src={picture} alt="" width="450" height="300" loading="lazy" />}
        <span className={styles.date}>
          <span>{weekday}</span> <b>{number}</b> <span>{month}</span>
        </span>
        <span className={styles.rowText}>
          <span className={styles.title}>{title}</span>
          <span className={styles.prize}>
            <Value className={styles.time}>{getClockParts(Date.parse(starts_at)).minutes}</Value>
            {state !== 'Next' && <span>{state}</span>}
          </span>
          {prize !== '' && !cancelled && <span className={styles.prize}>{prize}</span>}
        </span>
      </Link>
    </li>
  )
}

function DayCell({ day, isOutsideMonth, events, isToday }: Day & { isToday: boolean }) {
  const { weekday, number, month } = formatDayParts(day)
  return (
    <li
      className={styles.day}
      data-around={isOutsideMonth || undefined}
      data-today={isToday || undefined}
      data-empty={events.length === 0 || undefined}
      aria-current={isToday ? 'date' : undefined}
    >
      <p className={styles.date}>
        <span>{weekday}</span> <b>{number}</b> <span>{month}</span>
      </p>
      {events.length > 0 && (
        <ul className={styles.events}>
          {events.map((event) => (
            <li key={`${event.event} ${event.starts_at}`}>
              <EventCard event={event} day={day} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** An event on a day of a month. */
function EventCard({ event, day }: { event: EventTime; day: string }) {
  return (
    <Link to={getEventPath(event.event)} className={styles.event} data-cancelled={event.cancelled || undefined}>
      <span className={styles.time}>{event.cancelled ? 'cancelled' : formatTimeOnDay(day, event)}</span>
      <span className={styles.title}>{event.title}</span>
    </Link>
  )
}

function CalendarSkeleton() {
  return (
    <Loading className={layout.padded}>
      <Skeleton width="100%" height={360} />
    </Loading>
  )
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        title={EVENT_TEXTS.failed}
        line="Check your connection and try again."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    </div>
  )
}
