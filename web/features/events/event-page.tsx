import { useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { MINUTE_MS } from '#contract/durations.ts'
import {
  type Event,
  formatRepeats,
  getEvent,
  getEventReminder,
  getNextOccurrence,
  type Occurrence,
  setEventReminder,
} from '#contract/events.ts'
import { BOARD_NAMES } from '#contract/game.ts'
import { formatManilaMinute, formatPeriod, getClockParts, getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { readId, useRenderedAt } from '#web/api/page.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { getEventPath } from '#web/paths.ts'
import { formatSpan } from '#web/shell/notice-time.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { useServerTime } from '#web/shell/server-clock.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { Value } from '#web/ui/value.tsx'
import { getRankingPath } from '../rankings/rankings-view.ts'
import styles from './event-page.module.css'
import { LIST_PATH } from './events-view.ts'

/** The page of an event: the time until it begins, its description, and its result. */
export default function EventPage() {
  const id = String(readId(useParams().id))
  const { data: event } = useCall(getEvent, { id })
  const renderedAt = useRenderedAt()
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  if (event === undefined) return null
  const { title, about, picture, prize, results, cancelled_why } = event
  const nextOccurrence = getNextOccurrence(event, now)
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.events]}
        crumb={title}
        title={title}
        lines={[<strong key="when">{formatEventTime(event, nextOccurrence)}</strong>]}
        actions={
          <>
            <ShareButton name={title} />
            <ButtonLink to={LIST_PATH} tone="secondary">
              All events
            </ButtonLink>
          </>
        }
      />
      <div className={layout.panels}>
        {cancelled_why !== '' ? (
          <Panel title="Cancelled">
            <p className={styles.lines}>{cancelled_why}</p>
          </Panel>
        ) : (
          <Countdown event={event} nextOccurrence={nextOccurrence} now={now} />
        )}
        <Exceptions event={event} now={now} />
        {results.length > 0 && <Results results={results} isRepeated={event.repeats !== 'once'} />}
        <Panel>
          <div className={styles.about}>
            {picture !== null && <img src={picture} alt="" width="900" height="600" />}
            <div className={layout.stack}>
              {about !== '' && <p className={styles.text}>{about}</p>}
              {prize !== '' && (
                <dl className={styles.prize}>
                  <dt>Prize</dt>
                  <dd>{prize}</dd>
                </dl>
              )}
              <EventLinks event={event} />
            </div>
          </div>
        </Panel>
      </div>
    </>
  )
}

function formatEventTime(event: Event, nextOccurrence: Occurrence | undefined): string {
  if (event.repeats === 'once') return formatPeriod(Date.parse(event.starts_at), Date.parse(event.ends_at))
  if (nextOccurrence === undefined) return `${formatRepeats(event)}, until it ended`
  return `${formatRepeats(event)}, next ${formatPeriod(nextOccurrence.from, nextOccurrence.until)}`
}

/** Lists upcoming dates on which the event is cancelled or begins at another time. */
function Exceptions({ event, now }: { event: Event; now: number }) {
  const today = toManilaDay(now)
  const upcomingExceptions = event.exceptions.filter(({ day }) => day >= today)
  if (upcomingExceptions.length === 0 || event.cancelled_why !== '') return null
  return (
    <Panel title="Changed days">
      <ul className={layout.rows}>
        {upcomingExceptions.map(({ day, starts_at }) => (
          <li key={day} className={styles.result}>
            <Value dateTime={day}>{getClockParts(getStartOfDay(day)).date}</Value>
            <p>
              {starts_at === null
                ? 'It does not take place.'
                : `It begins ${formatManilaMinute(Date.parse(starts_at))}.`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The time until the event begins or ends. The player's reminder loads with the session. */
function Countdown({
  event,
  nextOccurrence,
  now,
}: {
  event: Event
  nextOccurrence: Occurrence | undefined
  now: number
}) {
  if (nextOccurrence === undefined)
    return (
      <Panel>
        <p className={styles.lines}>
          {event.results.length === 0 ? 'This event is over. Its result will be here.' : 'This event is over.'}
        </p>
      </Panel>
    )
  const isRunning = nextOccurrence.from <= now
  return (
    <Panel tone="paper">
      <div className={layout.headline}>
        <p>
          <span className={layout.lead}>{isRunning ? 'On now, ends in' : 'Begins in'}</span>{' '}
          <span className={styles.countdown}>
            {formatSpan((isRunning ? nextOccurrence.until : nextOccurrence.from) - now)}
          </span>
        </p>
        <Reminder event={event} />
      </div>
    </Panel>
  )
}

function Reminder({ event: { event, repeats } }: { event: Event }) {
  const isSessionLoaded = (useSession()?.user.UserNum ?? 0) !== 0
  return (
    <div className={styles.reminder}>
      <div data-for="guest">
        <ButtonLink to={`/login?next=${encodeURIComponent(getEventPath(event))}`} tone="paper">
          Log in to be reminded
        </ButtonLink>
      </div>
      <div data-for="player">
        {isSessionLoaded ? (
          <ReminderButtons event={event} isRepeated={repeats !== 'once'} />
        ) : (
          <Skeleton width="160px" height={44} />
        )}
      </div>
    </div>
  )
}

function ReminderButtons({ event, isRepeated }: { event: number; isRepeated: boolean }) {
  const { data, error } = useCall(getEventReminder, { id: String(event) })
  const queries = useQueryClient()
  const [busy, attempt] = useAttempt()
  if (data === undefined) return error === null ? <Skeleton width="160px" height={44} /> : null
  const { wanted: isWanted, every } = data
  const changeReminder = (choice: { wanted: boolean; every?: boolean }) =>
    attempt(async () => {
      const { message } = await call(setEventReminder, { event, ...choice })
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getEventReminder) })
      void showToast('done', message)
    })
  return (
    <>
      {isWanted ? (
        <Button tone="secondary" busy={busy} onClick={() => void changeReminder({ wanted: false })}>
          Stop reminding me
        </Button>
      ) : (
        <div className={layout.buttons}>
          <Button tone="paper" busy={busy} onClick={() => void changeReminder({ wanted: true, every: isRepeated })}>
            {isRepeated ? 'Remind me every time' : 'Remind me'}
          </Button>
          {isRepeated && (
            <Button tone="secondary" busy={busy} onClick={() => void changeReminder({ wanted: true, every: false })}>
              Only the next time
            </Button>
          )}
        </div>
      )}
      <p className={styles.note}>
        {isWanted
          ? `You will get a letter in your mail box an hour before ${isRepeated ? (every ? 'each time' : 'the next time') : 'it begins'}.`
          : 'The reminder is a letter in your mail box, an hour before the event.'}
      </p>
    </>
  )
}

function Results({ results, isRepeated }: { results: Event['results']; isRepeated: boolean }) {
  return (
    <Panel title={isRepeated ? 'Results' : 'Result'}>
      <ul className={layout.rows}>
        {results.map(({ starts_at, result }) => (
          <li key={starts_at} className={styles.result}>
            {isRepeated && <Value dateTime={starts_at}>{formatManilaMinute(Date.parse(starts_at))}</Value>}
            <p>{result}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Links to the ranking, the news item, and the file for calendars. */
function EventLinks({ event: { event, board, news } }: { event: Event }) {
  return (
    <div className={layout.buttons}>
      {news !== null && (
        <ButtonLink to={`/topic/${news}`} tone="secondary">
          Read the news
        </ButtonLink>
      )}
      {board !== null && (
        <ButtonLink to={getRankingPath({ board, period: null, school: null, cls: null })} tone="secondary">
          {BOARD_NAMES[board]} Ranking
        </ButtonLink>
      )}
      <p className={`${text.yellowLinks} ${styles.file}`}>
        <a href={`/events/${event}.ics`}>Add it to your calendar</a>
      </p>
    </div>
  )
}
