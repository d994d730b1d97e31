import {
  FRIENDS_A_MONTH,
  getFriendReward,
  getOwnFriends,
  REWARD_ACCOUNT_DAYS,
  REWARD_TEXTS,
} from '#contract/rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { MoreRewards } from './more-rewards.tsx'
import styles from './rewards.module.css'

/** Shows the reward for an invited friend and the player's link. The HTML is the same for every visitor. */
export default function InvitePage() {
  const { data } = useCall(getFriendReward, {})
  const isSessionLoaded = (useSession()?.user.UserNum ?? 0) !== 0
  return (
    <>
      <PageHead crumb="Invite friends" title="Invite friends" lines={[REWARD_TEXTS.friendLine]} />
      <div className={layout.panels}>
        <Panel tone="paper">
          <div className={layout.headline}>
            <p>
              <span className={layout.lead}>For each friend, you both get</span>
              <span className={styles.rewardText}>{data === undefined ? ' ' : (data.reward ?? 'our thanks')}</span>
            </p>
            {data !== undefined && data.reward !== null && (
              <p className={styles.note}>
                Both accounts must be at least {REWARD_ACCOUNT_DAYS} days old and have a character above level{' '}
                {data.above_level}. Up to {FRIENDS_A_MONTH} friends a month count for you.
              </p>
            )}
          </div>
        </Panel>
        {data !== undefined && data.reward !== null && (
          <Panel title="How it works">
            <ol className={styles.steps}>
              <li>
                <h3>Send your link</h3>
                <p>To friends who have no account yet.</p>
              </li>
              <li>
                <h3>They sign up and play</h3>
                <p>Players who register with your link count as invited by you.</p>
              </li>
              <li>
                <h3>You both get the reward</h3>
                <p>When a character of your friend reaches level {data.level}.</p>
              </li>
            </ol>
          </Panel>
        )}
        <Panel title="Your link">
          <div data-for="guest">
            <EmptyState
              title="Log in to get your link"
              action={<ButtonLink to="/login?next=/invite">Log in</ButtonLink>}
            />
          </div>
          <div data-for="player">{isSessionLoaded ? <MyLink /> : <LinkSkeleton />}</div>
        </Panel>
        <MoreRewards currentPage="invite" />
      </div>
    </>
  )
}

const LinkSkeleton = () => (
  <div className={layout.padded}>
    <Skeleton width="100%" height={96} />
  </div>
)

function MyLink() {
  const { data, error } = useCall(getOwnFriends, {}, { staleTime: 0 })
  if (data === undefined) return error === null ? <LinkSkeleton /> : <EmptyState title={REWARD_TEXTS.failed} />
  const { link, waiting, rewarded, why_not } = data
  return (
    <div className={`${layout.padded} ${styles.myLink}`}>
      <div className={layout.stack}>
        <p>It does not show your user ID.</p>
        <code className={text.breaks}>{link}</code>
        <div className={layout.buttons}>
          <CopyButton text={link} what="the link" />
        </div>
        {why_not !== null && <p>{why_not}</p>}
      </div>
      <dl className={styles.figures}>
        <div>
          <dt>Friends on the way</dt>
          <dd>{waiting}</dd>
        </div>
        <div>
          <dt>Rewards this month</dt>
          <dd>
            {rewarded} of {FRIENDS_A_MONTH}
          </dd>
        </div>
      </dl>
    </div>
  )
}
