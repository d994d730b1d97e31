import { getDeskPlaytime, playtimeFields, savePlaytime } from '#contract/desk-rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Facts, Money, StateBadge } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { RewardParts, SourceApproval } from './reward-parts.tsx'
import styles from './rewards.module.css'

/** Edits the rewards for time played. */
export function Screen() {
  const found = useCall(getDeskPlaytime, {})
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Rewards"
        line="Rewards for the minutes that the bridge sees players in the game. It can’t detect idle players; the budget limits the cost."
        actions={
          may('settings.write') && (
            <ButtonLink tone="secondary" to="/admin/settings?group=Rewards">
              Minutes and times
            </ButtonLink>
          )
        }
      />
      <RewardParts current="playtime" />
      <Loaded of={found} height={420}>
        {({ spent, approval, minutes, times, counting, players, ...playtime }) => (
          <div className={styles.content}>
            <Facts
              of={{
                'Given today': <Money amount={spent} currency="milleage" />,
                'Each reward takes': `${minutes} minutes of play, ${times} times a day at most`,
                'Accounts with minutes today': players,
                'Minutes count now':
                  counting === null ? (
                    'No bridge reports signs of life yet'
                  ) : (
                    <StateBadge tone={counting ? 'good' : 'bad'}>
                      {counting ? 'Yes' : 'No: the game shows no sign of life'}
                    </StateBadge>
                  ),
              }}
            />
            <SourceApproval source="playtime" approval={approval} />
            <DeskForm
              key={playtime.version}
              endpoint={savePlaytime}
              title="Time played"
              fields={playtimeFields}
              values={playtime}
              show={() => [['milleage', 'budget']]}
            />
          </div>
        )}
      </Loaded>
    </>
  )
}
