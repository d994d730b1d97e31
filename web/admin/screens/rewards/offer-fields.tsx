import { type DayReward, dayFields } from '#contract/desk-rewards.ts'
import { Button } from '#web/ui/button.tsx'
import looks from '../../kit/desk-layout.module.css'
import { FieldRows } from '../../kit/fields.tsx'
import styles from './rewards.module.css'

type DayRewardsProps = {
  days: readonly DayReward[]
  error: string | undefined
  onChange: (days: DayReward[]) => void
}

/** The reward of each day of the month, a row for each. */
export function DayRewards({ days, error, onChange }: DayRewardsProps) {
  const free = Array.from({ length: 32 }, (_, day) => day).find((day) => days.every((one) => one.day !== day)) ?? 0
  return (
    <fieldset className={styles.offers}>
      <legend>Rewards</legend>
      <p>
        The day of the month; 0 is every day that has no row of its own. Rewards are Milleage or items, never R-Coin.
      </p>
      <FieldRows
        className={styles.offer}
        rows={days}
        fields={dayFields}
        onChange={(rows) => onChange(rows.map((row) => (row.gift === 'item' ? row : { ...row, item: null })))}
        getName={({ day }) => `the reward of day ${day}`}
      />
      <div>
        <Button
          tone="secondary"
          onClick={() => onChange([...days, { day: free, gift: 'milleage', amount: null, item: null }])}
        >
          Add a reward
        </Button>
      </div>
      {error !== undefined && (
        <p className={looks.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
