import type { ReactNode } from 'react'
import { type ActiveForumTopic, getForumPostPath } from '#contract/forum.ts'
import { formatCount } from '#contract/numbers.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import layout from '#web/ui/layout.module.css'
import link from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import styles from './activity-row.module.css'
import { AuthorMark } from './author-card.tsx'
import { getForumActivityQuery, useLoadedForum } from './forum-view.ts'

type ShownTopic = Pick<
  ActiveForumTopic,
  'topic' | 'category' | 'board' | 'title' | 'last_number' | 'last_post_at' | 'last_writer'
>

/** A topic in a short list with its board and last author. It links to the newest or the first unread post. */
export function ActivityRow({
  row,
  firstUnread = null,
  children,
}: {
  row: ShownTopic
  firstUnread?: number | null
  children?: ReactNode
}) {
  const renderedAt = useRenderedAt()
  const { topic, category, board, title, last_number, last_post_at, last_writer } = row
  return (
    <li className={styles.row} data-new={firstUnread !== null || undefined}>
      <AuthorMark author={last_writer} size={44} />
      <div className={styles.text}>
        <Link
          to={getForumPostPath(category, topic, firstUnread ?? last_number)}
          className={`${link.wide} ${styles.title}`}
        >
          {title}
        </Link>
        <p>
          {board} · {last_writer.name} · <RelativeTime iso={last_post_at} renderedAt={renderedAt} />
        </p>
      </div>
      {firstUnread !== null && <span className={text.flag}>new</span>}
      {children}
    </li>
  )
}

/** Lists today's most active topics and the latest posts. */
export function Activity() {
  const { data: activity } = useLoadedForum(getForumActivityQuery())
  if (activity === undefined) return null
  return (
    <div className={styles.activity}>
      <Panel title="Hot today">
        {activity.hot.length === 0 && (
          <EmptyState title="Quiet so far" line="Topics with the most replies of the last 24 hours appear here." />
        )}
        <ul className={layout.rows}>
          {activity.hot.map((row) => (
            <ActivityRow key={row.topic} row={row}>
              <p className={styles.today}>
                <b>
                  <Value>{formatCount(row.replies_today)}</Value>
                </b>{' '}
                <span>{row.replies_today === 1 ? 'reply' : 'replies'}</span>
                <span className="visually-hidden"> in 24 hours</span>
              </p>
            </ActivityRow>
          ))}
        </ul>
      </Panel>
      <Panel title="Latest posts">
        {activity.latest.length === 0 && (
          <EmptyState title="No posts yet" line="Be the first: open a topic in a board." />
        )}
        <ul className={layout.rows}>
          {activity.latest.map((row) => (
            <ActivityRow key={row.topic} row={row} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}
