import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { type NewsBoard, newsPath, topicPath } from './boards.ts'
import styles from './more-news.module.css'
import { useNewsBoard } from './queries.ts'
import { RelativeTime } from './relative-time-text.tsx'

const SHOWN = 4

type Props = { board: NewsBoard; exceptId: number; renderedAt: number }

/** The newest other items of an item's board. */
export function MoreNews({ board, exceptId, renderedAt }: Props) {
  const { data } = useNewsBoard(board.key, 1)
  const rows = data?.rows.filter(({ id }) => id !== exceptId).slice(0, SHOWN) ?? []
  if (rows.length === 0) return null
  return (
    <Panel title={`More ${board.title.toLowerCase()}`} className={styles.more}>
      <ul>
        {rows.map((row) => (
          <li key={row.id} className={styles.row}>
            <Link className={styles.link} to={topicPath(row.id)} prefetch="intent">
              {row.subject}
            </Link>
            <span className={styles.date}>
              <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
            </span>
          </li>
        ))}
      </ul>
      <Link className={styles.all} to={newsPath({ board: board.key, page: 1 })}>
        All {board.title.toLowerCase()}
      </Link>
    </Panel>
  )
}
