import { ScreenParts } from '../../kit/screen.tsx'

const PARTS = [
  { key: 'daily', label: 'Daily reward', to: '/admin/rewards' },
  { key: 'votes', label: 'Votes', to: '/admin/rewards/votes' },
  { key: 'friends', label: 'Friends', to: '/admin/rewards/friends' },
  { key: 'starter', label: 'Starter items', to: '/admin/rewards/starter' },
] as const

/** The parts of the screen. */
export function RewardParts({ current }: { current: (typeof PARTS)[number]['key'] }) {
  return <ScreenParts of="rewards" parts={PARTS} current={current} />
}
