import { getDeskPlaytime, playtimeFields, savePlaytime } from '#contract/desk-rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { StateBadge } from '../../kit/facts.tsx'
import { useMay } from '../../me.ts'
import { RewardScreen } from './reward-parts.tsx'

/** Edits the rewards for time played. */
export function Screen() {
  const playtimeQuery = useCall(getDeskPlaytime, {})
  const may = useMay()
  return (
    <RewardScreen
      current="playtime"
      source="playtime"
      line="Rewards for the minutes that the bridge sees players in the game. The bridge can’t detect idle players; the budget limits the cost."
      actions={
        may('settings.write') && (
          <ButtonLink tone="secondary" to="/admin/settings?group=Rewards">
            Minutes and times
          </ButtonLink>
        )
      }
      query={playtimeQuery}
      listFacts={({ minutes, times, counting, players }) => ({
        'Each reward takes': `${minutes} minutes of play, ${times} times a day at most`,
        'Accounts with minutes today': players,
        'Minutes count now':
          counting === null ? (
            'No bridge has reported yet'
          ) : (
            <StateBadge tone={counting ? 'good' : 'bad'}>
              {counting ? 'Yes' : 'No: the game reports no activity'}
            </StateBadge>
          ),
      })}
    >
      {(playtime) => (
        <DeskForm
          key={playtime.version}
          endpoint={savePlaytime}
          title="Time played"
          fields={playtimeFields}
          values={playtime}
          show={() => [['milleage', 'budget']]}
        />
      )}
    </RewardScreen>
  )
}
