import type { getForumPost } from '#contract/desk-forum.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import styles from './forum.module.css'
import { LiftSilence, OutcomeBadge } from './parts.tsx'

type Page = CallOutput<typeof getForumPost>

/** Shows the record of a post's author. */
export function AuthorPanel({ page: { author } }: { page: Page }) {
  const { outcomes } = author
  return (
    <Panel title="The author">
      <div className={deskLayout.body}>
        <Facts
          className={styles.record}
          facts={{
            Account: (
              <>
                <PlayerLink userNum={author.user_num} userId={author.user_id} />{' '}
                {author.is_staff && <StateBadge>Staff</StateBadge>}
                {author.is_blocked && <StateBadge tone="bad">Blocked</StateBadge>}
              </>
            ),
            Registered: <When at={author.created_at} />,
            Level: author.level ?? 'No character',
            Posts: formatCount(author.posts),
            'Decided cases': `${outcomes.rejected + outcomes.deleted} against the author, ${outcomes.approved + outcomes.dismissed} without action`,
          }}
        />
        {author.silences.length > 0 && (
          <ul className={deskLayout.list} aria-label="Silences">
            {author.silences.map(({ silence, reason, is_on, silenced_by, starts_at, ends_at, lifted_at }) => (
              <li key={silence}>
                <p className={deskLayout.withBreaks}>
                  <StateBadge tone={is_on ? 'bad' : 'off'}>{is_on ? 'Silenced' : 'Was silenced'}</StateBadge> {reason}
                </p>
                <p className={deskLayout.faint}>
                  {silenced_by} <When at={starts_at} /> · {is_on ? 'ends' : lifted_at === null ? 'ended' : 'lifted'}{' '}
                  <When at={lifted_at ?? ends_at} />
                </p>
                {is_on && <LiftSilence silence={silence} name={author.name} label="Lift it" tone="quiet" />}
              </li>
            ))}
          </ul>
        )}
        {author.cases.length > 0 && (
          <ul className={deskLayout.list} aria-label="Other cases">
            {author.cases.map(({ case_num, post, title, outcome, at }) => (
              <li key={case_num}>
                <Link to={`/admin/forum/posts/${post}`} className={deskLayout.link}>
                  {title}
                </Link>
                <p className={deskLayout.faint}>
                  {outcome === null ? (
                    <StateBadge tone="attention">Waiting</StateBadge>
                  ) : (
                    <OutcomeBadge outcome={outcome} />
                  )}{' '}
                  <When at={at} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}
