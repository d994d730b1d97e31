import { useParams } from 'react-router'
import { NEWS_PAGE_SIZE, NEWS_VIEWS_SHOWN } from '#contract/limits.ts'
import { NEWS_TEXTS } from '#contract/messages.ts'
import { usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { useThemePicture } from '#web/shell/shell-data.ts'
import { RefreshButton } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import link from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, NewBadge, Skeleton } from '#web/ui/states.tsx'
import { SegmentAnchors, TabLinks } from '#web/ui/tabs.tsx'
import styles from './news-page.module.css'
import {
  getNewsPath,
  getNewsTopicPath,
  getPage,
  type ListedBoard,
  listBoards,
  newsSearch,
  readTopicParam,
} from './news-view.ts'
import { type NewsBoardPage, type NewsRow, useNewsBoard } from './queries.ts'
import { RelativeTime } from './relative-time-text.tsx'
import { TopicArticle } from './topic-article.tsx'

/** The list of news, or one item with `?topic=` and at /topic/:id (ROUTE-1). */
export default function NewsPage() {
  const renderedAt = useRenderedAt()
  const { id } = useParams()
  const { topic, view } = usePageSearch(newsSearch)
  const shownTopic = id === undefined ? topic : readTopicParam(id)
  if (shownTopic !== null) return <TopicArticle topic={shownTopic} renderedAt={renderedAt} />
  return (
    <>
      <PageHead
        crumb="News"
        title="News"
        lines={['Notices, events and guides, straight from the people who run the server.']}
      />
      <div className={layout.panels}>
        <SegmentAnchors
          label="Boards"
          entries={listBoards(view).map(({ key, title }, index) => ({ id: getListId(key, index), title }))}
          className={styles.boards}
        />
        {listBoards(view).map((board, index) => (
          <BoardPanel
            key={board.key}
            board={board}
            index={index + 1}
            page={getPage(board.key, view)}
            renderedAt={renderedAt}
          />
        ))}
      </div>
    </>
  )
}

/** The filters of the first board (NEWS-12). */
const FILTERS = [
  { key: 'all', label: 'All news', to: getNewsPath({ board: 'all', page: 1 }) },
  { key: 'patch-notes', label: 'Patch notes', to: getNewsPath({ board: 'patch-notes', page: 1 }) },
]

/** Returns the id of a board's panel; the first board has one id with every filter. */
const getListId = (key: ListedBoard['key'], index: number) => `board-${index === 0 ? 'all' : key}`

type BoardPanelProps = { board: ListedBoard; index: number; page: number; renderedAt: number }

/** One of the three boards of the list (NEWS-1, NEWS-4), with its own pager and refresh button. */
function BoardPanel({ board, index, page, renderedAt }: BoardPanelProps) {
  const { data, isFetching, refresh } = useNewsBoard(board.key, page)
  const shownPage = Math.min(page, data?.lastPage ?? page)
  const list = getListId(board.key, index - 1)
  return (
    <Panel
      id={list}
      index={index}
      title={board.title}
      actions={<RefreshButton what={board.title} busy={isFetching} onRefresh={refresh} />}
    >
      {index === 1 && <TabLinks label="Which news" tabs={FILTERS} current={board.key} list={list} />}
      {data === undefined && isFetching && <BoardSkeleton />}
      {data === undefined && !isFetching && (
        <EmptyState title={NEWS_TEXTS.empty} line="We couldn’t load this board. Refresh it in a moment." />
      )}
      {data?.rows.length === 0 && <EmptyState title={NEWS_TEXTS.empty} line="The next notice will appear here." />}
      {data !== undefined && data.rows.length > 0 && (
        <BoardTable board={board} data={data} page={shownPage} renderedAt={renderedAt} />
      )}
      {data !== undefined && data.lastPage > 1 && (
        <div className={styles.pager}>
          <Pager
            list={list}
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

type BoardTableProps = { board: ListedBoard; data: NewsBoardPage; page: number; renderedAt: number }

/** A page of a board as a table; on a phone each row is a card. */
function BoardTable({ board, data, page, renderedAt }: BoardTableProps) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{board.title}</caption>
      <thead className={styles.heads}>
        <tr>
          {NEWS_TEXTS.columns.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.body}>
        {data.rows.map((row) => (
          <NewsTableRow
            key={row.id}
            row={row}
            path={getNewsTopicPath(row.id, { type: board.type, page })}
            isLatest={row.id === data.latestId}
            renderedAt={renderedAt}
          />
        ))}
      </tbody>
    </table>
  )
}

type NewsTableRowProps = { row: NewsRow; path: string; isLatest: boolean; renderedAt: number }

function NewsTableRow({ row, path, isLatest, renderedAt }: NewsTableRowProps) {
  const themePicture = useThemePicture('news')
  const picture = row.img_thumbnail ?? themePicture
  return (
    <tr className={isLatest ? styles.latestRow : styles.row}>
      <td className={styles.subject}>
        {isLatest && picture && (
          <img className={styles.thumb} src={picture} alt="" width="144" height="96" loading="lazy" />
        )}
        <span className={styles.text}>
          {isLatest && <NewBadge />}
          <Link className={`${styles.link} ${link.wide}`} to={path}>
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

const SKELETON_WIDTHS = ['62%', '48%', '55%', '40%', '58%', '45%', '52%']

/** A placeholder for a board until its rows have loaded. */
function BoardSkeleton() {
  return (
    <Loading>
      <div className={styles.skeletonLatest}>
        <Skeleton width={144} height={96} />
        <Skeleton width="50%" height={28} />
      </div>
      {SKELETON_WIDTHS.slice(0, NEWS_PAGE_SIZE - 1).map((width) => (
        <div className={styles.skeletonRow} key={width}>
          <Skeleton width={width} height={18} />
        </div>
      ))}
    </Loading>
  )
}
