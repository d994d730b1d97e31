import { useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import { claimPlaytime, getOwnPlaytime, getPlaytime } from '#contract/rewards.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { createKeyedSend } from '#web/forms/submission.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './playtime.module.css'

type Offer = NonNullable<CallOutput<typeof getPlaytime>['playtime']>

const REFRESH_MS = 60_000

/** The rewards for time played today, with a progress bar (REWARD-12). */
export function Playtime() {
  const { data } = useCall(getPlaytime, {})
  const isPlayer = (useSession()?.user.UserNum ?? 0) !== 0
  const offer = data?.playtime
  if (offer === null || offer === undefined) return null
  return (
    <Panel title="Time played">
      <div className={layout.padded}>
        <div className={layout.stack}>
          <p>
            {offer.reward} for every {offer.minutes} minutes in the game, {formatPlural(offer.times, 'time')} a day at
            most. Claim it on the same day, until midnight in Manila.
          </p>
          <div data-for="guest">
            <ButtonLink to="/login?next=/daily" tone="secondary">
              Log in to see your time
            </ButtonLink>
          </div>
          <div data-for="player">{isPlayer ? <MyTime offer={offer} /> : <Skeleton width="100%" height={96} />}</div>
        </div>
      </div>
    </Panel>
  )
}

function MyTime({ offer }: { offer: Offer }) {
  const { data, error } = useCall(getOwnPlaytime, {}, { staleTime: 0, refetchInterval: REFRESH_MS })
  const queries = useQueryClient()
  const [busy, attempt] = useAttempt()
  const [send] = useState(createKeyedSend)
  if (data === undefined) return error === null ? <Skeleton width="100%" height={96} /> : null
  const claim = () =>
    attempt(
      async () => {
        const answer = await send({}, (idempotencyKey) => call(claimPlaytime, {}, { idempotencyKey }))
        saveBalances(answer)
        void showToast('done', answer.message)
      },
      () => queries.invalidateQueries({ queryKey: toKeyPrefix(getOwnPlaytime) }),
    )
  const maxMinutes = offer.minutes * offer.times
  const minutes = Math.min(data.minutes, maxMinutes)
  return (
    <div className={layout.stack}>
      <div className={styles.bar}>
        <progress aria-label="Minutes played today" max={maxMinutes} value={minutes} />
        <ol aria-hidden="true" style={{ '--times': offer.times } as CSSProperties}>
          {Array.from({ length: offer.times }, (_, index) => index + 1).map((rewardNumber) => (
            <li
              key={rewardNumber}
              data-state={
                rewardNumber <= data.claimed ? 'claimed' : rewardNumber <= data.claimed + data.open ? 'open' : undefined
              }
            >
              {rewardNumber * offer.minutes}
            </li>
          ))}
        </ol>
      </div>
      <p role="status">
        {formatPlural(data.minutes, 'minute')} today, {data.claimed} of {formatPlural(offer.times, 'reward')} claimed.
      </p>
      {data.why_not === null ? (
        <div>
          <Button busy={busy} onClick={() => void claim()}>
            Claim {formatPlural(data.open, 'reward')}
          </Button>
        </div>
      ) : (
        <p>{data.why_not}</p>
      )}
    </div>
  )
}
