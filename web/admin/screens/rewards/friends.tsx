import { friendRewardFields, getDeskFriend, saveFriend } from '#contract/desk-rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Facts, Money } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { RewardParts, SourceApproval } from './reward-parts.tsx'
import styles from './rewards.module.css'

/** Edits the rewards for invited friends. */
export function Screen() {
  const found = useCall(getDeskFriend, {})
  return (
    <>
      <ScreenHead
        title="Rewards"
        line="What a player and an invited friend get, each, once the friend has reached a level."
      />
      <RewardParts current="friends" />
      <Loaded of={found} height={420}>
        {({ spent, approval, waiting, rewarded, ...friend }) => (
          <div className={styles.content}>
            <Facts
              of={{
                'Given today': <Money amount={spent} currency="milleage" />,
                'Invited and on the way': waiting,
                'Rewarded this month': rewarded,
              }}
            />
            <SourceApproval source="friend" approval={approval} />
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
          </div>
        )}
      </Loaded>
    </>
  )
}
