import { NEWS_VIEWS_SHOWN } from '#contract/limits.ts'
import { NEWS } from '#contract/messages.ts'
import { Link } from '#web/ui/link.tsx'
import { NewBadge } from '#web/ui/states.tsx'
import { type NewsBoard, topicPath } from './boards.ts'
import styles from './news-table.module.css'
import type { NewsBoardPage, NewsRow } from './queries.ts'
import { RelativeTime } from './relative-time-text.tsx'

type Props = { board: NewsBoard; data: NewsBoardPage; page: number; renderedAt: number }

/** A page of a board as a table; on a phone each row is a card. */
export function NewsTable({ board, data, page, renderedAt }: Props) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{board.title}</caption>
      <thead className={styles.heads}>
        <tr>
          {NEWS.columns.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.body}>
        {data.rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            path={topicPath(row.id, { type: board.type, page })}
            isLatest={row.id === data.latestId}
            renderedAt={renderedAt}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { row: NewsRow; path: string; isLatest: boolean; renderedAt: number }

function Row({ row, path, isLatest, renderedAt }: RowProps) {
  return (
    <tr className={isLatest ? styles.latest : styles.row}>
      <td className={styles.subject}>
        {isLatest && row.img_thumbnail && (
          <img className={styles.thumb} src={row.img_thumbnail} alt="" width="144" height="96" loading="lazy" />
        )}
        <span className={styles.words}>
          {isLatest && <NewBadge />}
          <Link className={styles.link} to={path} prefetch="intent">
            {row.subject}
          </Link>
        </span>
      </td>
      <td className={styles.writer}>{row.author}</td>
      <td className={styles.date}>
        <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
      </td>
      <td className={styles.views}>{NEWS_VIEWS_SHOWN}</td>
    </tr>
  )
}
