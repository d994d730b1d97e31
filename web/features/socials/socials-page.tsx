import type { DocumentContent } from '#contract/documents.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { useAgentUrl } from '#web/shell/agent-url.ts'
import { DocumentPage, getLines } from '#web/shell/document-page.tsx'
import { MoreLinks } from '#web/shell/more-links.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { getSiteQuery } from '#web/shell/shell-data.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link, SiteOrExternalLink } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import styles from './socials.module.css'

/**
 * The page with the operators' social page and messenger, the news feed, meeting places in the game, and rules of
 * conduct.
 */
export default function SocialsPage() {
  return (
    <DocumentPage name="socials" title="Socials">
      {(socials) => <Socials socials={socials} />}
    </DocumentPage>
  )
}

type SocialsProps = { socials: DocumentContent<'socials'> }

function Socials({ socials }: SocialsProps) {
  const { data: site } = usePageQuery(getSiteQuery())
  return (
    <>
      <PageHead crumb="Socials" title="Socials" lines={getLines(socials.lines)} />
      <div className={`${layout.panels} ${styles.socials}`}>
        {socials.picture !== null && (
          <img className={styles.scene} src={socials.picture} alt="" width="840" height="280" decoding="async" />
        )}
        <Panel index={1} title="Outside the game">
          <SocialSigns socials={socials} socialUrl={site?.social_url ?? null} agentUrl={useAgentUrl()} />
          <ul className={styles.links}>
            <li>
              <SocialIcon name="feed" />
              <div>
                <h3>
                  <a href="/feed.xml" type="application/rss+xml">
                    News feed
                  </a>
                </h3>
                {socials.feed_line !== '' && <p>{socials.feed_line}</p>}
              </div>
            </li>
            <li>
              <SocialIcon name="ticket" />
              <div>
                <h3>
                  <Link to="/ticket">Submit a ticket</Link>
                </h3>
                {socials.ticket_line !== '' && <p>{socials.ticket_line}</p>}
              </div>
            </li>
          </ul>
        </Panel>
        <Panel index={2} title="House rules">
          <ol className={styles.rules}>
            {socials.rules.map(({ rule, why }) => (
              <li key={rule}>
                <h3>{rule}</h3>
                <p>{why}</p>
              </li>
            ))}
          </ol>
          <p className={styles.policyNote}>
            They apply everywhere on this page. In full: <Link to="/operationpolicy">Operation Policy</Link>.
          </p>
        </Panel>
        {socials.spots.length > 0 && (
          <Panel index={3} title="Inside the game">
            <ul className={styles.spots}>
              {socials.spots.map(({ name, to, line }) => (
                <li key={name}>
                  <h3>{to === '' ? name : <SiteOrExternalLink to={to}>{name}</SiteOrExternalLink>}</h3>
                  <p>{line}</p>
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </div>
    </>
  )
}

function SocialSigns({
  socials,
  socialUrl,
  agentUrl,
}: SocialsProps & { socialUrl: string | null; agentUrl: string | null }) {
  const links = usePageQuery(getSiteQuery()).data?.more_links ?? []
  if (socialUrl === null && agentUrl === null && links.length === 0) {
    return (
      <EmptyState
        title="No page and no messenger yet"
        line="This server’s operators have not opened any. You can follow the news by feed, and tickets are answered here."
        action={<ButtonLink to="/news">Read the news</ButtonLink>}
      />
    )
  }
  return (
    <div className={styles.signs}>
      {socialUrl !== null && (
        <Signboard
          to={socialUrl}
          tone="blue"
          icon={<SocialIcon name="page" />}
          title={socials.page_title || 'Our page'}
          line={socials.page_line}
        />
      )}
      {agentUrl !== null && (
        <Signboard
          to={agentUrl}
          tone="ink"
          icon={<SocialIcon name="agent" />}
          title="Talk to an Agent"
          line={socials.agent_line}
        />
      )}
      <MoreLinks />
    </div>
  )
}

/** Drawn on a grid of 24 units with mitred strokes. */
const ICON_PATHS = {
  page: 'M3 8.5h4L17 3v18L7 15.5H3ZM7 15.5 9 21h3l-1.6-3.6M20 9.5v5',
  agent: 'M3 4h18v12.5H11L6 21v-4.5H3ZM7.5 10.2h1.6M11.2 10.2h1.6M14.9 10.2h1.6',
  feed: 'M4 4a16 16 0 0 1 16 16M4 10.5A9.5 9.5 0 0 1 13.5 20M4 17.5h2.6V20H4Z',
  ticket: 'M3 6h18v4a2 2 0 0 0 0 4v4H3v-4a2 2 0 0 0 0-4ZM14.5 6v2.5M14.5 10.8v2.4M14.5 15.5V18',
} as const

/** The icon of a site. It is decorative, because the text next to it names the site. */
function SocialIcon({ name }: { name: keyof typeof ICON_PATHS }) {
  return (
    <svg
      width="36"
      height="36"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      aria-hidden="true"
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}
