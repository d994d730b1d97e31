import { dailyRewardsFields, getDeskDaily, saveDaily } from '#contract/desk-rewards.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { useMay } from '../../me.ts'
import { DayRewards } from './day-rewards.tsx'
import { RewardScreen } from './reward-parts.tsx'

/** Edits the daily rewards, and the conditions for all rewards. */
export function Screen() {
  const dailyQuery = useCall(getDeskDaily, {})
  const may = useMay()
  return (
    <RewardScreen
      current="daily"
      source="daily"
      line="Players get these rewards for coming back: Milleage and items only. Each kind of reward has a budget for a day."
      actions={
        may('settings.write') && (
          <ButtonLink tone="secondary" to="/admin/settings?group=Rewards">
            Who gets rewards
          </ButtonLink>
        )
      }
      query={dailyQuery}
    >
      {(daily) => (
        <DeskForm
          key={daily.version}
          endpoint={saveDaily}
          title="Daily reward"
          fields={dailyRewardsFields}
          values={daily}
          fetchLatest={() => call(getDeskDaily, {})}
          show={(form) => [
            'budget',
            <DayRewards
              key="days"
              days={form.values.days ?? []}
              error={form.getError('days')}
              onChange={(days) => form.change({ days })}
            />,
          ]}
        />
      )}
    </RewardScreen>
  )
}
