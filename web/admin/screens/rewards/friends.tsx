import { friendRewardFields, getDeskFriend, saveFriend } from '#contract/desk-rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { RewardScreen } from './reward-parts.tsx'

/** Edits the rewards for invited friends. */
export function Screen() {
  const friendQuery = useCall(getDeskFriend, {})
  return (
    <RewardScreen
      current="friends"
      source="friend"
      line="The player and the invited friend each get this reward when the friend reaches a level."
      query={friendQuery}
      listFacts={({ waiting, rewarded }) => ({ 'Invited and on the way': waiting, 'Rewarded this month': rewarded })}
    >
      {(friend) => (
        <DeskForm
          key={friend.version}
          endpoint={saveFriend}
          title="Invited friends"
          fields={friendRewardFields}
          values={friend}
          show={({ values: { gift } }) => [
            'budget',
            ['gift', (gift === 'milleage' || gift === 'item') && 'amount', gift === 'item' && 'item'],
          ]}
        />
      )}
    </RewardScreen>
  )
}
