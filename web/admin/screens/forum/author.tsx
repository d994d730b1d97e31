import { useState } from 'react'
import { type getForumPost, liftSilence } from '#contract/desk-forum.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import styles from './forum.module.css'
import { OutcomeBadge } from './parts.tsx'

type Page = CallOutput<typeof getForumPost>

/** What is known about the author. */
export function Author({ page: { author } }: { page: Page }) {
  const [lifting, setLifting] = useState<number | null>(null)
  const { outcomes } = author
  return (
    <Panel title="The author">
      <div className={looks.body}>
        <dl className={styles.record}>
          <div>
            <dt>Account</dt>
            <dd>
              <PlayerLink userNum={author.user_num} userId={author.user_id} />{' '}
              {author.is_staff && <StateBadge>Staff</StateBadge>}
              {author.is_blocked && <StateBadge tone="bad">Blocked</StateBadge>}
            </dd>
          </div>
          <div>
            <dt>Since</dt>
            <dd>
              <When at={author.created_at} />
            </dd>
          </div>
          <div>
            <dt>Level</dt>
            <dd>{author.level ?? 'No character'}</dd>
          </div>
          <div>
            <dt>Posts</dt>
            <dd>{formatCount(author.posts)}</dd>
          </div>
          <div>
            <dt>Earlier cases</dt>
            <dd>
              {outcomes.rejected + outcomes.deleted} removed, {outcomes.approved + outcomes.dismissed} fine
            </dd>
          </div>
        </dl>
        {author.silences.length > 0 && (
          <ul className={looks.list} aria-label="Silences">
            {author.silences.map(({ silence, reason, is_on, silenced_by, starts_at, ends_at, lifted_at }) => (
              <li key={silence}>
                <p className={looks.withBreaks}>
                  <StateBadge tone={is_on ? 'bad' : 'off'}>{is_on ? 'Silenced' : 'Was silenced'}</StateBadge> {reason}
                </p>
                <p className={looks.faint}>
                  {silenced_by} <When at={starts_at} /> · {is_on ? 'ends' : lifted_at === null ? 'ended' : 'lifted'}{' '}
                  <When at={lifted_at ?? ends_at} />
                </p>
                {is_on && (
                  <Button tone="quiet" onClick={() => setLifting(silence)}>
                    Lift it
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {author.cases.length > 0 && (
          <ul className={looks.list} aria-label="Other cases">
            {author.cases.map(({ case_num, post, title, outcome, at }) => (
              <li key={case_num}>
                <Link to={`/admin/forum/posts/${post}`} className={looks.link}>
                  {title}
                </Link>
                <p className={looks.faint}>
                  {outcome === null ? <StateBadge tone="next">Waiting</StateBadge> : <OutcomeBadge outcome={outcome} />}{' '}
                  <When at={at} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
      <ConfirmDialog
        open={lifting !== null}
        onClose={() => setLifting(null)}
        title="Lift this silence?"
        action="Lift it"
        endpoint={liftSilence}
        input={() => ({ silence: lifting ?? 0 })}
        done={({ message }) => message}
      >
        <p>{author.name} can post again right away, and gets a letter that says so.</p>
      </ConfirmDialog>
    </Panel>
  )
}
