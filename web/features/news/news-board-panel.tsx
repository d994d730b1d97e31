import { NEWS } from '#contract/messages.ts'
import { RefreshButton } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import type { NewsBoard } from './boards.ts'
import styles from './news-board-panel.module.css'
import { NewsTable } from './news-table.tsx'
import { NewsTableSkeleton } from './news-table-skeleton.tsx'
import { useNewsBoard } from './queries.ts'

type Props = { board: NewsBoard; index: number; page: number; renderedAt: number }

/** One board of the list, with its own pager and its own refresh. */
export function NewsBoardPanel({ board, index, page, renderedAt }: Props) {
  const { data, isFetching, refresh } = useNewsBoard(board.key, page)
  const shownPage = Math.min(page, data?.lastPage ?? page)
  return (
    <Panel
      index={index}
      title={board.title}
      actions={<RefreshButton what={board.title} busy={isFetching} onRefresh={refresh} />}
    >
      {data === undefined && isFetching && <NewsTableSkeleton />}
      {data === undefined && !isFetching && (
        <EmptyState title={NEWS.empty} line="The board did not come through. Refresh it in a moment." />
      )}
      {data?.rows.length === 0 && <EmptyState title={NEWS.empty} line="The next notice will stand here." />}
      {data !== undefined && data.rows.length > 0 && (
        <NewsTable board={board} data={data} page={shownPage} renderedAt={renderedAt} />
      )}
      {data !== undefined && data.lastPage > 1 && (
        <div className={styles.pager}>
          <Pager
            target={`/news?board=${board.key}`}
            page={shownPage}
            lastPage={data.lastPage}
            label={`Pages of ${board.title}`}
          />
        </div>
      )}
    </Panel>
  )
}
