import { formatPlural } from '#contract/numbers.ts'
import { getDailyRewards, getFriendReward, getVotes } from '#contract/rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import styles from './rewards.module.css'

/** Links to the other pages of rewards. Pages without a reward or a list are left out. */
export function MoreRewards({ currentPage }: { currentPage: 'daily' | 'vote' | 'invite' }) {
  const { data: daily } = useCall(getDailyRewards, {})
  const { data: votes } = useCall(getVotes, {})
  const { data: friend } = useCall(getFriendReward, {})
  const listCount = votes?.sites.length ?? 0
  const links = [
    { key: 'daily', name: 'Daily reward', worth: daily?.days[daily.today - 1]?.reward, action: 'Claim it' },
    {
      key: 'vote',
      name: 'Vote',
      worth: listCount > 0 && formatPlural(listCount, 'list'),
      action: 'See the lists',
    },
    { key: 'invite', name: 'Invite friends', worth: friend?.reward, action: 'Get your link' },
  ].filter(({ key, worth }) => key !== currentPage && worth)
  if (links.length === 0) return null
  return (
    <ul className={styles.more} aria-label="More rewards">
      {links.map(({ key, name, worth, action }) => (
        <li key={key}>
          <Panel>
            <div className={layout.headline}>
              <p>
                <span className={layout.lead}>{name}</span>
                <span className={styles.rewardText}>{worth}</span>
              </p>
              <ButtonLink tone="secondary" to={`/${key}`}>
                {action}
              </ButtonLink>
            </div>
          </Panel>
        </li>
      ))}
    </ul>
  )
}
