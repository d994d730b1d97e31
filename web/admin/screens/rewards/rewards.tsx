import { dailyRewardsFields, getDeskDaily, saveDaily } from '#contract/desk-rewards.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Facts, Money } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { DayRewards } from './offer-fields.tsx'
import { RewardParts, SourceApproval } from './reward-parts.tsx'
import styles from './rewards.module.css'

/** Edits the daily rewards, and the conditions for all rewards. */
export function Screen() {
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Rewards"
        line="What players get for coming back. Milleage and items only; each kind has a budget for a day."
        actions={
          may('settings.write') && (
            <ButtonLink tone="secondary" to="/admin/settings?group=Rewards">
              Who gets rewards
            </ButtonLink>
          )
        }
      />
      <RewardParts current="daily" />
      <div className={styles.content}>
        <Daily />
      </div>
    </>
  )
}

function Daily() {
  const found = useCall(getDeskDaily, {})
  return (
    <Loaded of={found} height={420}>
      {(daily) => (
        <>
          <Facts of={{ 'Given today': <Money amount={daily.spent} currency="milleage" /> }} />
          <SourceApproval source="daily" approval={daily.approval} />
          <DeskForm
            key={daily.version}
            endpoint={saveDaily}
            title="Daily reward"
            fields={dailyRewardsFields}
            values={daily}
            latest={() => call(getDeskDaily, {})}
            show={(form) => [
              'budget',
              <DayRewards
                key="days"
                days={form.values.days ?? []}
                error={form.error('days')}
                onChange={(days) => form.change({ days })}
              />,
            ]}
          />
        </>
      )}
    </Loaded>
  )
}
