import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { monthName } from '#contract/manila.ts'
import { claimDaily, getDailyRewards, getOwnDaily, REWARDS } from '#contract/rewards.ts'
import { alertText, call, createIdempotencyKey, isAnswerLost, isExpired } from '#web/api/call.ts'
import { keyOfAll, useCall } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import { MoreRewards } from './more-rewards.tsx'
import styles from './rewards.module.css'

type Month = CallOutput<typeof getDailyRewards>

/** The daily rewards of the month. The document knows nobody; what a player has claimed comes with the session. */
export default function DailyPage() {
  const { data, error, refetch } = useCall(getDailyRewards, {})
  const isKnown = (useSession()?.user.UserNum ?? 0) !== 0
  if (data === undefined)
    return (
      <>
        <PageHead crumb="Daily reward" title="Daily reward" lines={[REWARDS.dailyLine]} />
        <Panel>
          {error === null ? (
            <Loading className={layout.padded}>
              <Skeleton width="100%" height={320} />
            </Loading>
          ) : (
            <EmptyState title={REWARDS.failed} action={<Button onClick={() => void refetch()}>Try again</Button>} />
          )}
        </Panel>
      </>
    )
  const isEmpty = data.days.every(({ reward }) => reward === null)
  return (
    <>
      <PageHead crumb="Daily reward" title="Daily reward" lines={[REWARDS.dailyLine]} />
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
            <Today month={data} isKnown={isKnown} />
            <Panel title={monthName(data.month)}>
              {isKnown ? <OwnCalendar month={data} /> : <Calendar month={data} claimed={[]} />}
            </Panel>
          </>
        )}
        <MoreRewards except="daily" />
      </div>
    </>
  )
}

/** Today's reward, and the button that claims it. */
function Today({ month, isKnown }: { month: Month; isKnown: boolean }) {
  const { reward } = month.days[month.today - 1] ?? { reward: null }
  return (
    <Panel tone="paper">
      <div className={layout.headline}>
        <p>
          <span className={layout.lead}>Today</span>
          <span className={styles.worth}>{reward ?? 'No reward'}</span>
        </p>
        {reward !== null && (
          <div className={styles.action}>
            <div data-for="guest">
              <ButtonLink to="/login?next=/daily" tone="paper">
                Log in to claim it
              </ButtonLink>
            </div>
            <div data-for="player">{isKnown ? <Claim /> : <Skeleton width="160px" height={44} />}</div>
          </div>
        )}
        <p className={styles.note}>
          For accounts that are at least 7 days old and have a character above level {month.above_level}.
        </p>
      </div>
    </Panel>
  )
}

function Claim() {
  const { data, error } = useCall(getOwnDaily, {}, { staleTime: 0 })
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  // A try without an answer may have been carried out: the next one asks under the same key.
  const key = useRef('')
  const isPressed = useRef(false)
  const reason = useRef<HTMLParagraphElement>(null)
  const blockReason = data?.why_not ?? null
  // The button, which had the focus, is gone.
  useEffect(() => {
    if (isPressed.current && blockReason !== null) reason.current?.focus()
  }, [blockReason])
  if (data === undefined) return error === null ? <Skeleton width="160px" height={44} /> : null
  const claim = async () => {
    if (key.current === '') key.current = createIdempotencyKey()
    setBusy(true)
    isPressed.current = true
    try {
      const answer = await call(claimDaily, {}, { idempotencyKey: key.current })
      saveBalances(answer)
      void showToast('done', answer.message)
      key.current = ''
    } catch (problem) {
      if (!isAnswerLost(problem)) key.current = ''
      if (!isExpired(problem)) void showToast('error', alertText(problem))
    }
    await queries.invalidateQueries({ queryKey: keyOfAll(getOwnDaily) })
    setBusy(false)
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

function OwnCalendar({ month }: { month: Month }) {
  const { data } = useCall(getOwnDaily, {}, { staleTime: 0 })
  return <Calendar month={month} claimed={data?.claimed ?? []} />
}

function Calendar({ month: { days, today }, claimed }: { month: Month; claimed: readonly number[] }) {
  return (
    <ol className={styles.days}>
      {days.map(({ day, reward }) => {
        const isClaimed = claimed.includes(day)
        return (
          <li
            key={day}
            data-today={day === today || undefined}
            data-over={day < today || undefined}
            data-claimed={isClaimed || undefined}
            aria-current={day === today ? 'date' : undefined}
          >
            <b>{day}</b>
            <span>{reward ?? '–'}</span>
            {isClaimed && <em>Claimed</em>}
          </li>
        )
      })}
    </ol>
  )
}
