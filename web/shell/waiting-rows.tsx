import type { ReactNode } from 'react'
import { getShopPurchases } from '#contract/cart.ts'
import { getOwnRanks } from '#contract/characters.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { getUnreadLetters, UNREAD_COUNT_MAX } from '#contract/mailbox.ts'
import { getClockParts, toManilaDay } from '#contract/manila.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { getDailyRewards, getOwnDaily } from '#contract/rewards.ts'
import { getServerStatus } from '#contract/site.ts'
import { useCall } from '#web/api/queries.ts'
import { MilleageMark } from '#web/art/marks.tsx'
import { getEventPath } from '#web/paths.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { useServerTime } from './server-clock.ts'
import { useShellData } from './shell-data.ts'
import { formatTimeToEvent } from './status-line.tsx'
import styles from './waiting.module.css'

const CALL_OPTIONS = { staleTime: 60_000, retry: false }
/** The minimum number of rows. The HTML reserves their height. */
const MIN_ROWS = 3
/** The end of a reason's first sentence, and all later sentences. The page of the rewards shows the whole reason. */
const AFTER_FIRST_SENTENCE = /\.( .*)?$/

type RowsProps = { hasRank: boolean }

/**
 * Lists what a player can attend to: today's reward, unread letters, today's event, and undelivered orders.
 * Rows without an action fill the remaining space. Only logged-in players download this file.
 */
export function WaitingRows({ hasRank }: RowsProps) {
  const rows = [useReward(), useLetters(), useEvent(), useOrders()]
  const rank = useRank(hasRank)
  // Waits until all calls have returned, so the rows never change their order.
  if (rows.some((row) => row === undefined) || rank === undefined) return null
  const entries = rows.filter((row) => row != null)
  const waitingEntries = entries.filter(({ isWaiting }) => isWaiting)
  const idleEntries = entries
    .filter(({ isWaiting }) => !isWaiting)
    .slice(0, Math.max(0, MIN_ROWS - waitingEntries.length))
  const shownRows = entries.filter((row) => row.isWaiting || idleEntries.includes(row))
  return [...shownRows, ...(rank === null ? [] : [rank])].map(({ isWaiting, ...row }) => <Row key={row.to} {...row} />)
}

/** The content of a row; undefined while it loads, null if there is none. */
type RowContent = (RowProps & { isWaiting: boolean }) | null | undefined

type RowProps = { to: string; mark: ReactNode; title: string; line: string; action?: string | undefined }

/** A row that links to its page. `action` is the yellow label of a possible action. */
function Row({ to, mark, title, line, action }: RowProps) {
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.mark}>{mark}</span>
        <span className={styles.text}>
          <span className={text.size20}>{title}</span>
          <span className={styles.line}>{line}</span>
        </span>
        {action !== undefined && <span className={styles.action}>{action}</span>}
      </Link>
    </li>
  )
}

function useReward(): RowContent {
  const { data: month, isPending: isMonthPending } = useCall(getDailyRewards, {}, CALL_OPTIONS)
  const { data: ownDaily, isPending: isDailyPending } = useCall(getOwnDaily, {}, CALL_OPTIONS)
  if (isMonthPending || isDailyPending) return undefined
  const reward = month?.days[month.today - 1]?.reward ?? null
  const canClaim = ownDaily?.why_not === null && reward !== null
  const isClaimed = month !== undefined && ownDaily?.claimed.includes(month.today)
  return {
    isWaiting: canClaim,
    to: '/daily',
    mark: <MilleageMark size={26} />,
    title: reward ?? 'Daily reward',
    line: canClaim
      ? 'Daily reward, until midnight'
      : isClaimed
        ? 'Claimed today'
        : (ownDaily?.why_not?.replace(AFTER_FIRST_SENTENCE, '') ?? 'See this month’s rewards'),
    action: canClaim ? 'Claim' : undefined,
  }
}

function useLetters(): RowContent {
  const { data, isPending } = useCall(getUnreadLetters, {}, CALL_OPTIONS)
  if (isPending) return undefined
  const unread = data?.unread ?? 0
  const count = unread < UNREAD_COUNT_MAX ? formatPlural(unread, 'letter') : `${UNREAD_COUNT_MAX - 1}+ letters`
  return {
    isWaiting: unread > 0,
    to: '/mailbox',
    mark: <Icon name="letter" size={24} />,
    title: unread === 0 ? 'No new letters' : count,
    line: unread === 0 ? 'Your mail box' : 'Unread in your mail box',
  }
}

/** The hour in Manila from which an event counts as 'Tonight'. */
const EVENING_START_HOUR = 17

/** Returns a row for the current or next event. The row counts as waiting on the event's day. */
function useEvent(): RowContent {
  const { data, isPending } = useCall(getServerStatus, {}, CALL_OPTIONS)
  const renderedAt = useShellData()?.renderedAt ?? 0
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  if (isPending) return undefined
  const event = data?.events[0]
  const mark = <Icon name="flag" size={24} />
  if (event === undefined)
    return { isWaiting: false, to: '/events', mark, title: 'Events', line: 'Nothing is planned yet' }
  const start = Date.parse(event.starts_at)
  const { date, minutes } = getClockParts(start)
  const isToday = start <= now || toManilaDay(start) === toManilaDay(now)
  const today = Number(minutes.split(':')[0]) >= EVENING_START_HOUR ? 'Tonight' : 'Today'
  const day = isToday ? today : date.split(' ').slice(0, 3).join(' ')
  return {
    isWaiting: isToday,
    to: getEventPath(event.event),
    mark,
    title: event.title,
    line: start <= now ? 'Is on now' : `${day}, ${minutes}, ${formatTimeToEvent(event, now)}`,
  }
}

/** Returns a row for recent orders that are on their way to the game or not yet picked up there; null without any. */
function useOrders(): RowContent {
  const { data, isPending } = useCall(getShopPurchases, {}, CALL_OPTIONS)
  if (isPending) return undefined
  const deliveries = (data?.purchasehistory ?? []).flatMap((purchase) => purchase.deliveries)
  const countUnits = (state: string) =>
    deliveries.filter((delivery) => delivery.state === state).reduce((sum, { units }) => sum + units, 0)
  const [queued, delivered] = [countUnits('queued'), countUnits('delivered')]
  if (queued + delivered === 0) return null
  return {
    isWaiting: true,
    to: '/shoppurchases',
    mark: <Icon name="store" size={24} />,
    title: queued > 0 ? `${formatPlural(queued, 'item')} on the way` : `${formatPlural(delivered, 'item')} delivered`,
    line: queued > 0 ? 'To your item bank in the game' : 'Pick up from your item bank in the game',
  }
}

/** Returns a row for the best rank of the player's characters on this month's level board. */
function useRank(isShown: boolean): RowContent {
  const input = { of: 'month', board: 'level' } as const
  const { data, isPending } = useCall(getOwnRanks, input, { ...CALL_OPTIONS, enabled: isShown })
  if (!isShown) return null
  if (isPending) return undefined
  const mark = <Icon name="bars" size={24} />
  const [bestRank] = (data?.data ?? [])
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  return bestRank === undefined
    ? { isWaiting: false, to: '/rankings', mark, title: 'No rank yet', line: 'This month’s rankings' }
    : {
        isWaiting: false,
        to: `/character/${bestRank.ChaNum}`,
        mark,
        title: `#${formatCount(bestRank.rank ?? 0)} by level`,
        line: `${bestRank.ChaName}, this month`,
      }
}
