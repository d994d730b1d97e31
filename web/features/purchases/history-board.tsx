import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EMPTY } from '#contract/messages.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import styles from './history-board.module.css'
import { HistorySkeleton } from './history-skeleton.tsx'

type HistoryBoardProps<Row> = {
  title: string
  /** The page's address, for its pager. */
  target: string
  page: number
  history: UseQueryResult<{ rows: Row[]; lastPage: number }>
  /** What to do while there is nothing. */
  emptyLine: string
  emptyAction: ReactNode
  actions?: ReactNode
  children: (rows: Row[]) => ReactNode
}

/** A paged history in whatever state it is: loading, failed, empty, or its rows (SPEC §2.13). */
export function HistoryBoard<Row>(props: HistoryBoardProps<Row>) {
  const { title, target, page, history, emptyLine, emptyAction, actions, children } = props
  const { data } = history
  return (
    <div className={styles.board}>
      <Panel title={title} actions={actions}>
        {data === undefined && !history.isError && <HistorySkeleton />}
        {data === undefined && history.isError && (
          <div role="alert">
            <EmptyState
              title={SHOP.historyFailed}
              line="Your connection may be away for a moment."
              action={<Button onClick={() => void history.refetch()}>Try again</Button>}
            />
          </div>
        )}
        {data?.rows.length === 0 && <EmptyState title={EMPTY.noData} line={emptyLine} action={emptyAction} />}
        {data !== undefined && data.rows.length > 0 && children(data.rows)}
      </Panel>
      {data !== undefined && (
        <Pager
          target={target}
          page={Math.min(page, data.lastPage)}
          lastPage={data.lastPage}
          label={`Pages of ${title}`}
        />
      )}
    </div>
  )
}
