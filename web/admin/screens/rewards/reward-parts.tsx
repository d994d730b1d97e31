import { approveRewards, type getDeskDaily } from '#contract/desk-rewards.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { RewardSource } from '#contract/rewards.ts'
import { DeskAction } from '../../kit/action.tsx'
import { Facts, Money } from '../../kit/facts.tsx'
import { ScreenParts } from '../../kit/screen.tsx'

const PARTS = [
  { key: 'daily', label: 'Daily reward', to: '/admin/rewards' },
  { key: 'playtime', label: 'Time played', to: '/admin/rewards/playtime' },
  { key: 'votes', label: 'Votes', to: '/admin/rewards/votes' },
  { key: 'friends', label: 'Friends', to: '/admin/rewards/friends' },
  { key: 'starter', label: 'Starter items', to: '/admin/rewards/starter' },
] as const

/** The parts of the screen. */
export function RewardParts({ current }: { current: (typeof PARTS)[number]['key'] }) {
  return <ScreenParts of="rewards" parts={PARTS} current={current} />
}

type Approval = CallOutput<typeof getDeskDaily>['approval']

/**
 * Shows the maximum that a source can pay in 24 hours and the operator it is charged to, with a button for an owner who
 * can approve it.
 */
export function SourceApproval({ source, approval }: { source: RewardSource; approval: Approval }) {
  const { pays, raised_by, charged_to, approved_by, content_hash, why_not } = approval
  return (
    <>
      <Facts
        of={{
          'Can pay in 24 hours': <Money amount={pays} currency="milleage" />,
          'Approved by': approved_by ?? 'No owner yet',
          ...(raised_by.length > 0 && { 'Raised by': raised_by.join(', ') }),
          ...(charged_to !== null && { 'Counts against the limit of': charged_to }),
        }}
      />
      {approved_by === null && pays > 0 && why_not === null && (
        <div>
          <DeskAction
            endpoint={approveRewards}
            label="Approve the rewards"
            input={{ source, content_hash }}
            ask={{
              title: 'Approve these rewards as they are?',
              text: 'Check the rewards, the budget and, for votes, every list on this screen. They then count against no operator’s limit until an operator raises them.',
            }}
          />
        </div>
      )}
    </>
  )
}
