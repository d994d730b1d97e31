import type { ReactNode } from 'react'
import { approveRewards, type getDeskDaily } from '#contract/desk-rewards.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { RewardSource } from '#contract/rewards.ts'
import { DeskAction } from '../../kit/action.tsx'
import { type FactList, Facts, Money } from '../../kit/facts.tsx'
import { Loaded, type LoadState, ScreenHead, ScreenParts } from '../../kit/screen.tsx'
import styles from './rewards.module.css'

const PARTS = [
  { key: 'daily', label: 'Daily reward', to: '/admin/rewards' },
  { key: 'playtime', label: 'Time played', to: '/admin/rewards/playtime' },
  { key: 'votes', label: 'Votes', to: '/admin/rewards/votes' },
  { key: 'friends', label: 'Friends', to: '/admin/rewards/friends' },
  { key: 'starter', label: 'Starter items', to: '/admin/rewards/starter' },
] as const

type Approval = CallOutput<typeof getDeskDaily>['approval']

type RewardScreenProps<Values> = {
  current: (typeof PARTS)[number]['key']
  source: RewardSource
  line: string
  actions?: ReactNode
  query: LoadState<Values>
  /** Content above the facts. */
  renderAbove?: (values: Values) => ReactNode
  listFacts?: (values: Values) => FactList
  children: (values: Values) => ReactNode
}

/** The screen of one source of rewards: its payments and limit, and `children` to edit it. */
export function RewardScreen<Values extends { spent: number; approval: Approval }>(props: RewardScreenProps<Values>) {
  const { current, source, line, actions, query, renderAbove, listFacts, children } = props
  return (
    <>
      <ScreenHead title="Rewards" line={line} actions={actions} />
      <ScreenParts screen="rewards" parts={PARTS} current={current} />
      <div className={styles.content}>
        <Loaded result={query} height={420}>
          {(values) => (
            <>
              {renderAbove?.(values)}
              <Facts
                facts={{ 'Given today': <Money amount={values.spent} currency="milleage" />, ...listFacts?.(values) }}
              />
              <SourceApproval source={source} approval={values.approval} />
              {children(values)}
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}

/**
 * Shows the maximum that a source can pay in 24 hours and the operator it is charged to, with a button for an owner who
 * can approve it.
 */
function SourceApproval({ source, approval }: { source: RewardSource; approval: Approval }) {
  const { pays, raised_by, charged_to, approved_by, content_hash, why_not } = approval
  return (
    <>
      <Facts
        facts={{
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
            confirmation={{
              title: 'Approve these rewards as they are?',
              text: 'Check the rewards, the budget and, for votes, every list on this screen. They then count against no operator’s limit until an operator raises them.',
            }}
          />
        </div>
      )}
    </>
  )
}
