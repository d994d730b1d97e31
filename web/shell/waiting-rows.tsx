import type { ReactNode } from 'react'
import { MINUTE_MS } from '#contract/durations.ts'
import { getUnreadLetters, UNREAD_COUNTED } from '#contract/mailbox.ts'
import { clockParts } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import { getDailyRewards, getOwnDaily } from '#contract/rewards.ts'
import { getServerStatus } from '#contract/site.ts'
import { useCall } from '#web/api/queries.ts'
import { MilleageMark } from '#web/art/marks.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { useServerTime } from './server-clock.ts'
import { useShellData } from './shell-data.ts'
import { formatTimeToEvent } from './status-line.tsx'
import styles from './waiting.module.css'

const OPTIONS = { staleTime: 60_000, retry: false }

/** Today's reward, the letters and the next event: always three rows. Only players fetch this file. */
export function WaitingRows() {
  return (
    <>
      <RewardRow />
      <LettersRow />
      <EventRow />
    </>
  )
}

type RowProps = { to: string; mark: ReactNode; title: string; line: string; action?: string | undefined }

/** A row that leads to its page; `action` is the yellow word of what can be done there now. */
function Row({ to, mark, title, line, action }: RowProps) {
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.mark}>{mark}</span>
        <span className={styles.words}>
          <span className={styles.name}>{title}</span>
          <span className={styles.line}>{line}</span>
        </span>
        {action !== undefined && <span className={styles.action}>{action}</span>}
      </Link>
    </li>
  )
}

function RewardRow() {
  const { data: month } = useCall(getDailyRewards, {}, OPTIONS)
  const { data: own } = useCall(getOwnDaily, {}, OPTIONS)
  const reward = month?.days[month.today - 1]?.reward ?? null
  const canClaim = own?.why_not === null && reward !== null
  const isClaimed = month !== undefined && own?.claimed.includes(month.today)
  return (
    <Row
      to="/daily"
      mark={<MilleageMark size={26} />}
      title={reward ?? 'Daily reward'}
      line={
        canClaim
          ? 'Daily reward, until midnight'
          : isClaimed
            ? 'Claimed today'
            : (own?.why_not ?? 'See this month’s rewards')
      }
      action={canClaim ? 'Claim' : undefined}
    />
  )
}

function LettersRow() {
  const { data } = useCall(getUnreadLetters, {}, OPTIONS)
  const unread = data?.unread ?? 0
  const words = unread < UNREAD_COUNTED ? formatPlural(unread, 'letter') : `${UNREAD_COUNTED - 1}+ letters`
  return (
    <Row
      to="/mailbox"
      mark={<Icon name="letter" size={24} />}
      title={unread === 0 ? 'No new letters' : words}
      line={unread === 0 ? 'Your mail box' : 'Unread in your mail box'}
    />
  )
}

function EventRow() {
  const { data } = useCall(getServerStatus, {}, OPTIONS)
  const renderedAt = useShellData()?.renderedAt ?? 0
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  const event = data?.events[0]
  if (event === undefined)
    return <Row to="/events" mark={<Icon name="home" size={24} />} title="Events" line="Nothing is planned yet" />
  const { date, minutes } = clockParts(Date.parse(event.starts_at))
  return (
    <Row
      to={`/events/${event.event}`}
      mark={<Icon name="bars" size={24} />}
      title={event.title}
      line={`${date.split(' ').slice(0, 3).join(' ')}, ${minutes}, ${formatTimeToEvent(event, now)}`}
    />
  )
}
