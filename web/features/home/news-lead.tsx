import { Link } from '#web/ui/link.tsx'
import { NewBadge } from '#web/ui/states.tsx'
import { topicPath } from '../news/boards.ts'
import type { NewsRow } from '../news/queries.ts'
import { RelativeTime } from '../news/relative-time-text.tsx'
import styles from './news-lead.module.css'

type Props = {
  row: NewsRow
  renderedAt: number /** The picture large, with the words over its foot. */
  isPoster: boolean
}

/** The latest item of a box, with its picture. */
export function NewsLead({ row, renderedAt, isPoster }: Props) {
  return (
    <div className={isPoster ? styles.poster : styles.lead}>
      {row.img_thumbnail && (
        <img className={styles.picture} src={row.img_thumbnail} alt="" width="450" height="300" loading="lazy" />
      )}
      <div className={styles.words}>
        <NewBadge />
        <Link className={styles.subject} to={topicPath(row.id)} prefetch="intent">
          {row.subject}
        </Link>
        {isPoster && row.excerpt && <p className={styles.excerpt}>{row.excerpt}</p>}
        <span className={styles.date}>
          <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
        </span>
      </div>
    </div>
  )
}
