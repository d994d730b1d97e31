import { useState } from 'react'
import { type DayReward, dayRewardFields } from '#contract/desk-rewards.ts'
import { formatCount } from '#contract/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { Fields } from '../../kit/fields.tsx'
import { ItemPicture } from '../../kit/item-field.tsx'
import styles from './rewards.module.css'

/** The key of the reward for days without a special reward. */
const EVERY_DAY = 0
const DAYS = Array.from({ length: 31 }, (_, index) => index + 1)

type DayRewardsProps = {
  days: readonly DayReward[]
  error: string | undefined
  onChange: (days: DayReward[]) => void
}

/** Edits the reward for every day, and the special rewards of single days in a calendar. */
export function DayRewards({ days, error, onChange }: DayRewardsProps) {
  const [chosenDay, setChosenDay] = useState(EVERY_DAY)
  const findReward = (day: number) => days.find((reward) => reward.day === day)
  const everydayReward = findReward(EVERY_DAY)
  const chosenReward = findReward(chosenDay)
  const setReward = (reward: DayReward) =>
    onChange([...days.filter(({ day }) => day !== reward.day), reward].sort((a, b) => a.day - b.day))
  const renderDay = (day: number) => (
    <button
      key={day}
      type="button"
      className={styles.day}
      aria-pressed={chosenDay === day}
      data-special={findReward(day) !== undefined || undefined}
      onClick={() => setChosenDay(day)}
    >
      <b>{day === EVERY_DAY ? 'Every day' : day}</b>
      <RewardOfDay reward={findReward(day) ?? everydayReward} />
    </button>
  )
  return (
    <fieldset className={deskLayout.group}>
      <legend>Rewards</legend>
      <p>
        Every day gives the same reward, except the days with a special reward.{' '}
        <CurrencyText>Rewards are Milleage or items, never R-Coin.</CurrencyText>
      </p>
      {renderDay(EVERY_DAY)}
      <div className={styles.calendar}>{DAYS.map(renderDay)}</div>
      <div className={styles.chosenDay}>
        <h3>{chosenDay === EVERY_DAY ? 'Every day' : `Day ${chosenDay} of the month`}</h3>
        {chosenReward === undefined ? (
          <>
            <p>
              {chosenDay === EVERY_DAY
                ? 'Days without a special reward give nothing.'
                : `Day ${chosenDay} gives the same as every day.`}
            </p>
            <Button
              tone="secondary"
              onClick={() =>
                setReward({ day: chosenDay, gift: 'milleage', amount: everydayReward?.amount ?? null, item: null })
              }
            >
              {chosenDay === EVERY_DAY ? 'Give a reward every day' : `Give day ${chosenDay} a special reward`}
            </Button>
          </>
        ) : (
          <>
            <div className={styles.offer}>
              <Fields
                fields={dayRewardFields}
                show={['gift', 'amount', chosenReward.gift === 'item' && 'item']}
                form={{
                  values: chosenReward,
                  getError: () => undefined,
                  change: (part) => {
                    const changedReward = { ...chosenReward, ...part }
                    setReward(changedReward.gift === 'item' ? changedReward : { ...changedReward, item: null })
                  },
                }}
              />
            </div>
            <Button tone="quiet" onClick={() => onChange(days.filter(({ day }) => day !== chosenDay))}>
              {chosenDay === EVERY_DAY ? 'Remove the reward for every day' : 'Give the same as every day'}
            </Button>
          </>
        )}
      </div>
      {error !== undefined && (
        <p className={deskLayout.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Shows the reward of a day in the calendar. */
function RewardOfDay({ reward }: { reward: DayReward | undefined }) {
  if (reward === undefined) return <span>Nothing</span>
  const { gift, amount, item } = reward
  if (gift === 'milleage')
    return <span>{amount === null ? '…' : <CurrencyText>{`${formatCount(amount)} Milleage`}</CurrencyText>}</span>
  return (
    <span>
      {amount ?? 1} × {item === null ? 'an item' : <ItemPicture itemId={item} />}
    </span>
  )
}
