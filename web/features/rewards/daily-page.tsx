import { useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatMonth } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import { claimDaily, getDailyRewards, getOwnDaily, REWARD_TEXTS } from '#contract/rewards.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { MilleageMark } from '#web/art/marks.tsx'
import { ItemPicture } from '#web/features/shop/item-parts.tsx'
import { createKeyedSend } from '#web/forms/submission.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import { MoreRewards } from './more-rewards.tsx'
import { Playtime } from './playtime.tsx'
import styles from './rewards.module.css'

type Month = CallOutput<typeof getDailyRewards>

/**
 * The daily rewards of the month. The document is the same for every visitor; a player's claims load with the session.
 */
export default function DailyPage() {
  const { data, error, refetch } = useCall(getDailyRewards, {})
  const isSessionLoaded = (useSession()?.user.UserNum ?? 0) !== 0
  if (data === undefined)
    return (
      <>
        <PageHead crumb="Daily reward" title="Daily reward" lines={[REWARD_TEXTS.dailyLine]} />
        <Panel>
          {error === null ? (
            <Loading className={layout.padded}>
              <Skeleton width="100%" height={320} />
            </Loading>
          ) : (
            <EmptyState
              title={REWARD_TEXTS.failed}
              action={<Button onClick={() => void refetch()}>Try again</Button>}
            />
          )}
        </Panel>
      </>
    )
  const isEmpty = data.days.every(({ reward }) => reward === null)
  return (
    <>
      <PageHead crumb="Daily reward" title="Daily reward" lines={[REWARD_TEXTS.dailyLine]} />
      <div className={layout.panels}>
        {isEmpty ? (
          <Panel>
            <EmptyState
              title="There are no daily rewards at the moment"
              action={<ButtonLink to="/events">See the events</ButtonLink>}
            />
          </Panel>
        ) : (
          <>
            <div className={styles.sheet} data-surface="paper">
              <Today month={data} isSessionLoaded={isSessionLoaded} />
              {isSessionLoaded ? <MyCalendar month={data} /> : <Calendar month={data} />}
            </div>
            <p className={styles.note}>
              For accounts that are at least 7 days old and have a character above level {data.above_level}.
            </p>
          </>
        )}
        <Playtime />
        <MoreRewards currentPage="daily" />
      </div>
    </>
  )
}

/** Today's reward, and the button that claims it. */
function Today({ month, isSessionLoaded }: { month: Month; isSessionLoaded: boolean }) {
  const { reward, item } = month.days[month.today - 1] ?? { reward: null, item: null }
  return (
    <div className={styles.today}>
      {item !== null && <ItemPicture item={item} className={styles.picture} isLarge />}
      <p>
        <span className={layout.lead}>
          Today, {month.today} {formatMonth(month.month).split(' ')[0]}
        </span>
        <span className={styles.rewardText}>{reward ?? 'No reward'}</span>
      </p>
      {reward !== null && (
        <div className={styles.action}>
          <div data-for="guest">
            <ButtonLink to="/login?next=/daily" tone="paper" size="lg">
              Log in to claim it
            </ButtonLink>
          </div>
          <div data-for="player">{isSessionLoaded ? <ClaimButton /> : <Skeleton width="160px" height={52} />}</div>
        </div>
      )}
    </div>
  )
}

function ClaimButton() {
  const { data, error } = useCall(getOwnDaily, {}, { staleTime: 0 })
  const queries = useQueryClient()
  const [busy, attempt] = useAttempt()
  const [send] = useState(createKeyedSend)
  const wasPressed = useRef(false)
  const reason = useRef<HTMLParagraphElement>(null)
  const blockReason = data?.why_not ?? null
  // The button, which had the focus, has disappeared.
  useEffect(() => {
    if (wasPressed.current && blockReason !== null) reason.current?.focus()
  }, [blockReason])
  if (data === undefined) return error === null ? <Skeleton width="160px" height={52} /> : null
  const claim = () => {
    wasPressed.current = true
    return attempt(
      async () => {
        const answer = await send({}, (idempotencyKey) => call(claimDaily, {}, { idempotencyKey }))
        saveBalances(answer)
        void showToast('done', `${answer.reward}. ${answer.message}`)
      },
      () => queries.invalidateQueries({ queryKey: toKeyPrefix(getOwnDaily) }),
    )
  }
  return blockReason === null ? (
    <Button tone="paper" size="lg" busy={busy} onClick={() => void claim()}>
      Claim
    </Button>
  ) : (
    <p role="status" ref={reason} tabIndex={-1}>
      {blockReason}
    </p>
  )
}

function MyCalendar({ month }: { month: Month }) {
  const { data } = useCall(getOwnDaily, {}, { staleTime: 0 })
  return <Calendar month={month} claimedDays={data?.claimed ?? []} />
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Returns the number of consecutive claimed days up to today, or up to yesterday if today can still be claimed. */
function countStreak(claimedDays: readonly number[], today: number): number {
  const lastDay = claimedDays.includes(today) ? today : today - 1
  let streak = 0
  while (claimedDays.includes(lastDay - streak)) streak += 1
  return streak
}

/** The month as a calendar: stamps on claimed days, a tinted ground on every seventh day, today in yellow. */
function Calendar({ month: { month, days, today }, claimedDays }: { month: Month; claimedDays?: readonly number[] }) {
  // The weekday of the first day; Monday is 1.
  const firstWeekday = ((new Date(`${month}-01T00:00:00Z`).getUTCDay() + 6) % 7) + 1
  const streak = countStreak(claimedDays ?? [], today)
  return (
    <section aria-labelledby="month">
      <div className={styles.monthHead}>
        <h2 id="month">{formatMonth(month)}</h2>
        {claimedDays !== undefined && (
          <p role="status">
            {claimedDays.length} of {formatPlural(today, 'day')} claimed
            {streak > 1 && `, ${streak} days in a row`}
          </p>
        )}
      </div>
      <div className={styles.weekdays} aria-hidden="true">
        {WEEKDAYS.map((weekday) => (
          <span key={weekday}>{weekday}</span>
        ))}
      </div>
      <ol className={styles.days} style={{ '--first': firstWeekday } as CSSProperties}>
        {days.map(({ day, reward, milleage, item }) => {
          const isClaimed = claimedDays?.includes(day) === true
          return (
            <li
              key={day}
              data-today={day === today || undefined}
              data-over={day < today || undefined}
              data-seventh={day % 7 === 0 || undefined}
              aria-current={day === today ? 'date' : undefined}
            >
              <b>{day}</b>
              {isClaimed && (
                <svg
                  className={styles.stamp}
                  viewBox="0 0 32 32"
                  role="img"
                  aria-label="Claimed"
                  fill="none"
                  stroke="currentColor"
                >
                  <circle cx="16" cy="16" r="14" strokeWidth="2" />
                  <path strokeWidth="3.4" d="m9.5 16.5 5 5 8.5-10" />
                </svg>
              )}
              <span className="visually-hidden">{reward ?? 'No reward'}</span>
              {!isClaimed && milleage > 0 && (
                <i aria-hidden="true">
                  <MilleageMark size={22} /> {milleage}
                </i>
              )}
              {!isClaimed && item !== null && (
                <i aria-hidden="true">
                  <ItemPicture item={item} className={styles.small} isLazy />
                  {item.quantity > 1 && `${item.quantity} ×`}
                </i>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
