import type { CallOutput } from '#contract/endpoint.ts'
import { formatMonth, getClockParts } from '#contract/manila.ts'
import { getOwnVotes, getVotes, REWARD_TEXTS } from '#contract/rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { Count } from '#web/ui/value.tsx'
import { MoreRewards } from './more-rewards.tsx'
import styles from './rewards.module.css'

type Votes = CallOutput<typeof getVotes>
type MyVotes = CallOutput<typeof getOwnVotes>

/**
 * Lists the sites to vote on. The document is the same for every visitor; a player's links and pauses load with the
 * session.
 */
export default function VotePage() {
  const { data, error, refetch } = useCall(getVotes, {})
  return (
    <>
      <PageHead crumb="Vote" title="Vote" lines={[REWARD_TEXTS.voteLine]} />
      {data === undefined ? (
        <Panel>
          {error === null ? (
            <Loading className={layout.padded}>
              <Skeleton width="100%" height={240} />
            </Loading>
          ) : (
            <EmptyState
              title={REWARD_TEXTS.failed}
              action={<Button onClick={() => void refetch()}>Try again</Button>}
            />
          )}
        </Panel>
      ) : (
        <VotingLists votes={data} />
      )}
    </>
  )
}

function VotingLists({ votes }: { votes: Votes }) {
  const isLoggedIn = (useSession()?.user.UserNum ?? 0) !== 0
  return (
    <div className={styles.voting}>
      <Panel title="Lists">{isLoggedIn ? <MySites votes={votes} /> : <Sites votes={votes} />}</Panel>
      <Panel title={`Best voters of ${formatMonth(votes.month)}`}>
        {votes.best.length === 0 ? (
          <EmptyState title="No votes yet this month" line="Be the first." />
        ) : (
          <ol className={`${layout.rows} ${styles.best}`}>
            {votes.best.map(({ name, votes: count }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two players can have the same name, and the list is not reordered
              <li key={index}>
                <b>{index + 1}</b>
                <span>{name}</span>
                <Count of={count} unit="vote" />
              </li>
            ))}
          </ol>
        )}
      </Panel>
      <MoreRewards currentPage="vote" />
    </div>
  )
}

function MySites({ votes }: { votes: Votes }) {
  const { data } = useCall(getOwnVotes, {}, { staleTime: 0, refetchOnWindowFocus: true })
  return <Sites votes={votes} myVotes={data} />
}

function Sites({ votes: { sites, above_level }, myVotes }: { votes: Votes; myVotes?: MyVotes | undefined }) {
  if (sites.length === 0)
    return (
      <EmptyState
        title="There are no lists to vote on at the moment"
        action={<ButtonLink to="/events">See the events</ButtonLink>}
      />
    )
  return (
    <>
      <ul className={layout.rows}>
        {sites.map(({ site, name, pause_hours, reward }) => (
          <li key={site} className={styles.site}>
            <h3>{name}</h3>
            <p>
              {reward === null ? 'No reward' : reward}
              {pause_hours === 24 ? ', once a day' : `, every ${pause_hours} hours`}
            </p>
            <div className={styles.action}>
              <div data-for="guest">
                <ButtonLink to="/login?next=/vote">Log in to vote</ButtonLink>
              </div>
              <div data-for="player">
                <VoteLink name={name} site={myVotes?.sites.find((mySite) => mySite.site === site)} />
              </div>
            </div>
          </li>
        ))}
      </ul>
      <p className={layout.padded}>
        {myVotes?.why_not ??
          `Rewards are for accounts that are at least 7 days old and have a character above level ${above_level}.`}
        {myVotes !== undefined &&
          myVotes.votes > 0 &&
          ` You have voted ${myVotes.votes === 1 ? 'once' : `${myVotes.votes} times`} this month.`}
      </p>
    </>
  )
}

function VoteLink({ name, site }: { name: string; site: MyVotes['sites'][number] | undefined }) {
  if (site === undefined) return <Skeleton width="120px" height={44} />
  if (site.next_at !== null) {
    const { date, minutes } = getClockParts(Date.parse(site.next_at))
    return (
      <p>
        Open again {date}, {minutes}
      </p>
    )
  }
  return (
    <ButtonLink to={site.link}>
      Vote<span className="visually-hidden"> on {name}</span>
    </ButtonLink>
  )
}
