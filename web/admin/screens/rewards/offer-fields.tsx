import { useState } from 'react'
import { type DayReward, dayFields } from '#contract/desk-rewards.ts'
import { formatCount } from '#contract/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { Fields } from '../../kit/fields.tsx'
import { ItemPicture } from '../../kit/item-field.tsx'
import styles from './rewards.module.css'

/** The key of the reward for days without a special reward. */
const EVERY_DAY = 0
const DAYS = Array.from({ length: 31 }, (_, nth) => nth + 1)

const nameDay = (day: number) => (day === EVERY_DAY ? 'Every day' : `Day ${day}`)

type DayRewardsProps = {
  days: readonly DayReward[]
  error: string | undefined
  onChange: (days: DayReward[]) => void
}

/** Edits the rewards of a month in a calendar: the general reward as text, and the days with a special reward. */
export function DayRewards({ days, error, onChange }: DayRewardsProps) {
  const [chosen, setChosen] = useState(EVERY_DAY)
  const find = (day: number) => days.find((one) => one.day === day)
  const usual = find(EVERY_DAY)
  const own = find(chosen)
  const put = (reward: DayReward) =>
    onChange([...days.filter(({ day }) => day !== reward.day), reward].sort((a, b) => a.day - b.day))
  const cell = (day: number) => (
    <button
      key={day}
      type="button"
      className={styles.day}
      aria-pressed={chosen === day}
      data-own={find(day) !== undefined || undefined}
      onClick={() => setChosen(day)}
    >
      <b>{day === EVERY_DAY ? nameDay(day) : day}</b>
      <RewardOfDay reward={find(day) ?? usual} />
    </button>
  )
  return (
    <fieldset className={deskLayout.group}>
      <legend>Rewards</legend>
      <p>
        Each day of the month gives the general reward, unless the day has a special one.{' '}
        <CurrencyText>Rewards are Milleage or items, never R-Coin.</CurrencyText>
      </p>
      {cell(EVERY_DAY)}
      <div className={styles.calendar}>{DAYS.map(cell)}</div>
      <div className={styles.chosenDay}>
        <h3>{chosen === EVERY_DAY ? 'Every day' : `Day ${chosen} of the month`}</h3>
        {own === undefined ? (
          <>
            <p>
              {chosen === EVERY_DAY
                ? 'Days without a reward of their own give nothing.'
                : `Day ${chosen} gives the same as every day.`}
            </p>
            <Button
              tone="secondary"
              onClick={() => put({ day: chosen, gift: 'milleage', amount: usual?.amount ?? null, item: null })}
            >
              {chosen === EVERY_DAY ? 'Give a reward every day' : `Give day ${chosen} a reward of its own`}
            </Button>
          </>
        ) : (
          <>
            <div className={styles.offer}>
              <Fields
                fields={dayFields}
                show={['gift', 'amount', own.gift === 'item' && 'item']}
                form={{
                  values: own,
                  error: () => undefined,
                  change: (part) => {
                    const changed = { ...own, ...part }
                    put(changed.gift === 'item' ? changed : { ...changed, item: null })
                  },
                }}
              />
            </div>
            <Button tone="quiet" onClick={() => onChange(days.filter(({ day }) => day !== chosen))}>
              {chosen === EVERY_DAY ? 'Give nothing on these days' : 'Give the same as every day'}
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
      {amount ?? 1} × {item === null ? 'an item' : <ItemPicture number={item} />}
    </span>
  )
}
