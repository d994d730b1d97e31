import { Link } from '#web/ui/link.tsx'
import { topicPath } from '../news/boards.ts'
import type { NewsRow } from '../news/queries.ts'
import { RelativeTime } from '../news/relative-time-text.tsx'
import styles from './news-line.module.css'

type Props = { row: NewsRow; renderedAt: number }

/** An item in a box's list: its subject and its date. */
export function NewsLine({ row, renderedAt }: Props) {
  return (
    <li className={styles.line}>
      <Link className={styles.subject} to={topicPath(row.id)} prefetch="intent">
        {row.subject}
      </Link>
      <span className={styles.date}>
        <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
      </span>
    </li>
  )
}
