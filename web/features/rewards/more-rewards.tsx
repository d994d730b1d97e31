import { formatPlural } from '#contract/numbers.ts'
import { getDailyRewards, getFriendReward, getVotes } from '#contract/rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import styles from './rewards.module.css'

/** Links to the other pages of rewards. Sources without a reward are left out. */
export function MoreRewards({ except }: { except: 'daily' | 'vote' | 'invite' }) {
  const { data: daily } = useCall(getDailyRewards, {})
  const { data: votes } = useCall(getVotes, {})
  const { data: friend } = useCall(getFriendReward, {})
  const lists = votes?.sites.length ?? 0
  const others = [
    { key: 'daily', name: 'Daily reward', worth: daily?.days[daily.today - 1]?.reward, word: 'Claim it' },
    {
      key: 'vote',
      name: 'Vote',
      worth: lists > 0 && formatPlural(lists, 'list'),
      word: 'See the lists',
    },
    { key: 'invite', name: 'Invite friends', worth: friend?.reward, word: 'Get your link' },
  ].filter(({ key, worth }) => key !== except && worth)
  if (others.length === 0) return null
  return (
    <ul className={styles.more} aria-label="More rewards">
      {others.map(({ key, name, worth, word }) => (
        <li key={key}>
          <Panel>
            <div className={layout.headline}>
              <p>
                <span className={layout.lead}>{name}</span>
                <span className={styles.rewardText}>{worth}</span>
              </p>
              <ButtonLink tone="secondary" to={`/${key}`}>
                {word}
              </ButtonLink>
            </div>
          </Panel>
        </li>
      ))}
    </ul>
  )
}
