import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EMPTY_LIST_TEXTS } from '#contract/messages.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { FromTheShop } from '#web/features/shop/from-the-shop.tsx'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './history.module.css'
import { formatHistoryDate } from './history-text.ts'

/** Histories reload on every visit, and a failure is shown at once. */
export const HISTORY_OPTIONS = { staleTime: 0, retry: false } as const

type HistoryBoardProps<Answer, Row> = {
  title: string
  /** The page's address, for the pager. */
  target: string
  page: number
  history: Pick<UseQueryResult<Answer>, 'data' | 'isError' | 'refetch'>
  getRows: (answer: Answer) => Row[]
  /** The text of an empty history. */
  emptyLine: string
  emptyAction: ReactNode
  actions?: ReactNode
  children: (rows: Row[]) => ReactNode
}

type HistoryPageProps<Answer, Row> = HistoryBoardProps<Answer, Row> & { heading: string; line: string }

/** The page of a history (HISTORY-3). The HTML is the same for every visitor. */
export function HistoryPage<Answer extends { last_page: number }, Row>(props: HistoryPageProps<Answer, Row>) {
  const { heading, line, ...board } = props
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.account]}
        crumb={heading}
        title={heading}
        lines={[line, 'Times are Manila time.']}
      />
      <HistoryBoard {...board} />
      <FromTheShop className={layout.wideOnly} />
    </>
  )
}

/** A paged history in its loading, failed, empty or loaded state. */
function HistoryBoard<Answer extends { last_page: number }, Row>(props: HistoryBoardProps<Answer, Row>) {
  const { title, target, page, history, getRows, emptyLine, emptyAction, actions, children } = props
  const { data } = history
  const rows = data && getRows(data)
  return (
    <div className={layout.stack} id="history">
      <Panel title={title} actions={actions}>
        {rows === undefined && !history.isError && <HistorySkeleton />}
        {rows === undefined && history.isError && (
          <div role="alert">
            <EmptyState
              title={SHOP_TEXTS.historyFailed}
              line="Check your connection and try again."
              action={<Button onClick={() => void history.refetch()}>Try again</Button>}
            />
          </div>
        )}
        {rows?.length === 0 && <EmptyState title={EMPTY_LIST_TEXTS.emptyText} line={emptyLine} action={emptyAction} />}
        {rows !== undefined && rows.length > 0 && children(rows)}
      </Panel>
      {data !== undefined && (
        <Pager
          target={target}
          list="history"
          page={Math.min(page, data.last_page)}
          lastPage={data.last_page}
          label={`Pages of ${title}`}
        />
      )}
    </div>
  )
}

const SKELETON_ROWS = 10

/** A placeholder for a history until its rows have loaded. */
function HistorySkeleton() {
  return (
    <Loading rows={SKELETON_ROWS}>
      <div className={styles.skeletonRow}>
        <Skeleton width={56} height={44} />
        <Skeleton width={150} height={20} />
        <Skeleton width={90} height={20} />
      </div>
    </Loading>
  )
}

/** A date of a history, in Manila time. */
export function HistoryDate({ iso }: { iso: string }) {
  const { date, time } = formatHistoryDate(iso)
  return (
    <time dateTime={iso} className={styles.moment} translate="no">
      <Value>{date}</Value> <span>{time}</span>
    </time>
  )
}
