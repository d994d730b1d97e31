import type { ReactNode } from 'react'
import { type ForumActivity, postPath } from '#contract/forum.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import link from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import styles from './activity-row.module.css'
import { AuthorMark } from './author-card.tsx'

type Shown = Pick<
  ForumActivity,
  'topic' | 'category' | 'board' | 'title' | 'last_number' | 'last_post_at' | 'last_writer'
>

/** A topic of a short list: where it is and who wrote last. It leads to its newest post, or to the first that is new. */
export function ActivityRow({
  row,
  unread = null,
  children,
}: {
  row: Shown
  unread?: number | null
  children?: ReactNode
}) {
  const renderedAt = useRenderedAt()
  const { topic, category, board, title, last_number, last_post_at, last_writer } = row
  return (
    <li className={styles.row} data-new={unread !== null || undefined}>
      <AuthorMark author={last_writer} size={44} />
      <div className={styles.words}>
        <Link to={postPath(category, topic, unread ?? last_number)} className={`${link.wide} ${styles.title}`}>
          {title}
        </Link>
        <p>
          {board} · {last_writer.name} · <RelativeTime iso={last_post_at} renderedAt={renderedAt} />
        </p>
      </div>
      {unread !== null && <span className={text.flag}>new</span>}
      {children}
    </li>
  )
}
