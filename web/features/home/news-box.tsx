import { NEWS } from '#contract/messages.ts'
import { ButtonLink, RefreshButton } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import { type NewsBoard, newsPath } from '../news/boards.ts'
import { useNewsBoard } from '../news/queries.ts'
import styles from './news-box.module.css'
import { NewsLead } from './news-lead.tsx'
import { NewsLine } from './news-line.tsx'

/** How many items stand in a box, the latest included. */
const SHOWN = { all: 6, events: 6, guides: 7 } as const

type Props = { board: NewsBoard; index: number; renderedAt: number }

/** A box of the news home: the latest item first, once, with the badge; then the list. */
export function NewsBox({ board, index, renderedAt }: Props) {
  const { data, isFetching, refresh } = useNewsBoard(board.key, 1)
  const [lead, ...others] = data?.rows.slice(0, SHOWN[board.key]) ?? []
  return (
    <Panel
      index={index}
      title={board.title}
      className={styles.box}
      actions={
        <>
          <ButtonLink tone="quiet" to={newsPath({ board: board.key, page: 1 })}>
            All<span className="visually-hidden"> {board.title}</span>
          </ButtonLink>
          <RefreshButton what={board.title} busy={isFetching} onRefresh={refresh} />
        </>
      }
    >
      {data === undefined && isFetching && <Skeleton width="100%" height={320} />}
      {lead === undefined && !(data === undefined && isFetching) && (
        <EmptyState title={NEWS.empty} line="The next notice will stand here." />
      )}
      {lead !== undefined && (
        <div className={styles[board.key]}>
          <NewsLead row={lead} renderedAt={renderedAt} isPoster={board.key === 'all'} />
          <ul className={styles.list}>
            {others.map((row) => (
              <NewsLine key={row.id} row={row} renderedAt={renderedAt} />
            ))}
          </ul>
        </div>
      )}
    </Panel>
  )
}
