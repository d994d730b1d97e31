import { useQuery } from '@tanstack/react-query'
import type { MetaFunction } from 'react-router'
import { browserClient } from '#web/api/client.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { siteQuery } from '#web/shell/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { HOUSE_RULES, SPOTS } from './meeting-places.ts'
import { SocialIcon } from './social-icon.tsx'
import styles from './socials.module.css'

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Socials',
    description:
      'Where the players of this server meet outside and inside the game, and how we treat each other there.',
    path: '/socials',
  })

/** The operator's social page and messenger, the news feed, the places in the game, and how to behave in all of them. */
export default function SocialsPage() {
  const { data: site } = useQuery(siteQuery(browserClient))
  return (
    <>
      <PageHead
        crumb="Socials"
        title="Socials"
        lines={['A tambayan is a place to hang out. These are ours, on both sides of the screen.']}
      />
      <div className={styles.socials}>
        <img className={styles.scene} src="/art/story-shed.svg" alt="" width="840" height="280" decoding="async" />
        <Panel index={1} title="Outside the game">
          <Doors social={site?.social_url ?? null} agent={site?.agent_url ?? null} />
          <ul className={styles.ways}>
            <li>
              <SocialIcon name="feed" />
              <div>
                <h3>
                  <a href="/feed.xml" type="application/rss+xml">
                    News feed
                  </a>
                </h3>
                <p>
                  Every notice in your feed reader, without an account anywhere. The address is /feed.xml on this site.
                </p>
              </div>
            </li>
            <li>
              <SocialIcon name="ticket" />
              <div>
                <h3>
                  <Link to="/ticket">Submit a ticket</Link>
                </h3>
                <p>For whatever should not be said in public: your account, a payment, somebody who will not stop.</p>
              </div>
            </li>
          </ul>
        </Panel>
        <Panel index={2} title="House rules">
          <ol className={styles.rules}>
            {HOUSE_RULES.map(({ rule, why }) => (
              <li key={rule}>
                <h3>{rule}</h3>
                <p>{why}</p>
              </li>
            ))}
          </ol>
          <p className={styles.full}>
            They hold in every place on this page. In full: <Link to="/operationpolicy">Operation Policy</Link>.
          </p>
        </Panel>
        <Panel index={3} title="Inside the game">
          <ul className={styles.spots}>
            {SPOTS.map(({ place, name, line }) => (
              <li key={place}>
                <h3>
                  <Link to={`/story#place-${place}`}>{name}</Link>
                </h3>
                <p>{line}</p>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </>
  )
}

function Doors({ social, agent }: { social: string | null; agent: string | null }) {
  if (social === null && agent === null) {
    return (
      <EmptyState
        title="No page and no messenger yet"
        line="This server’s operators have not opened one. The news come to you by feed, and tickets are answered here."
        action={<ButtonLink to="/news">Read the news</ButtonLink>}
      />
    )
  }
  return (
    <div className={styles.doors}>
      {social !== null && (
        <Signboard
          to={social}
          tone="blue"
          icon={<SocialIcon name="page" />}
          title="Join the barkada"
          line="Our page: server talk, events, patch nights"
        />
      )}
      {agent !== null && (
        <Signboard
          to={agent}
          tone="ink"
          icon={<SocialIcon name="agent" />}
          title="Talk to an Agent"
          line="Our messenger: a person, during waking hours"
        />
      )}
    </div>
  )
}
