import { NEWS_TEXTS } from '#contract/messages.ts'
import type { NewsItem } from '#contract/news.ts'
import { usePageSearch } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import article from '#web/ui/article.module.css'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import link from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import {
  findBoardByType,
  getNewsPath,
  getNewsTopicPath,
  type NewsBoard,
  newsSearch,
  UNKNOWN_TOPIC_ID,
} from './news-view.ts'
import { getNewsItemQuery, useNewsBoard } from './queries.ts'
import { RelativeTime } from './relative-time-text.tsx'
import styles from './topic-article.module.css'

type TopicArticleProps = { topic: number; renderedAt: number }

/** One news item in its loading, loaded or empty state (NEWS-7). */
export function TopicArticle({ topic, renderedAt }: TopicArticleProps) {
  const { data, isFetching } = usePageQuery(getNewsItemQuery(topic), { enabled: topic !== UNKNOWN_TOPIC_ID })
  if (data) return <Topic item={data} renderedAt={renderedAt} />
  return (
    <>
      <PageHead crumb="News" title="News" />
      <Panel>
        {data === undefined && isFetching ? (
          <TopicSkeleton />
        ) : (
          <EmptyState
            title={NEWS_TEXTS.empty}
            line="It may have been taken down, or the address is wrong."
            action={<ButtonLink to="/news">All news</ButtonLink>}
          />
        )}
      </Panel>
    </>
  )
}

/** A loaded item: its head, its picture and text, and other items of its board. */
function Topic({ item, renderedAt }: { item: NewsItem; renderedAt: number }) {
  const board = findBoardByType(item.type)
  // The page of the list from which the item was opened; the first page unless `category` and `page` are set (ROUTE-1).
  const listPath = getNewsPath(usePageSearch(newsSearch).view)
  const boardPath = getNewsPath({ board: board.key, page: 1 })
  return (
    <>
      <PageHead
        parents={
          board.title === PARENT_PAGES.news[1] ? [PARENT_PAGES.news] : [PARENT_PAGES.news, [boardPath, board.title]]
        }
        crumb={item.subject}
        title={item.subject}
        lines={[
          <span key="byline" className={styles.byline}>
            <span className={styles.author}>{item.author}</span>
            <RelativeTime iso={item.created_at} renderedAt={renderedAt} />
          </span>,
        ]}
      />
      <div className={`${layout.panels} ${styles.topic}`}>
        <Panel>
          <article className={styles.article}>
            {item.IsShowThumbnail === 1 && item.img_thumbnail && (
              <img
                className={styles.thumbnail}
                src={item.img_thumbnail}
                alt=""
                width="450"
                height="300"
                fetchPriority="high"
              />
            )}
            <div
              className={`${text.written} ${article.content} ${text.yellowLinks}`}
              dangerouslySetInnerHTML={{ __html: item.content }}
            />
            <footer className={`${layout.buttons} ${styles.foot}`}>
              <ButtonLink to={listPath} tone="secondary">
                Back to the list
              </ButtonLink>
              <ShareButton name={item.subject} />
            </footer>
          </article>
        </Panel>
        <MoreNews board={board} exceptId={item.id} renderedAt={renderedAt} />
      </div>
    </>
  )
}

const MORE_ROWS = 4

type MoreNewsProps = { board: NewsBoard; exceptId: number; renderedAt: number }

/** Lists the newest other items of an item's board. */
function MoreNews({ board, exceptId, renderedAt }: MoreNewsProps) {
  const { data } = useNewsBoard(board.key, 1)
  const rows = data?.rows.filter(({ id }) => id !== exceptId).slice(0, MORE_ROWS) ?? []
  if (rows.length === 0) return null
  return (
    <Panel title={`More ${board.title.toLowerCase()}`} className={styles.more}>
      <ul>
        {rows.map((row) => (
          <li key={row.id} className={styles.moreRow}>
            <Link className={`${styles.moreLink} ${link.wide}`} to={getNewsTopicPath(row.id)}>
              {row.subject}
            </Link>
            <span className={styles.moreDate}>
              <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
            </span>
          </li>
        ))}
      </ul>
      <Link className={styles.moreAll} to={getNewsPath({ board: board.key, page: 1 })}>
        All {board.title.toLowerCase()}
      </Link>
    </Panel>
  )
}

/** A placeholder for an item until it has loaded. */
function TopicSkeleton() {
  return (
    <Loading className={`${layout.stack} ${styles.skeleton}`}>
      <Skeleton width="70%" height={56} />
      <Skeleton width="30%" height={20} />
      <Skeleton width="100%" height={240} />
    </Loading>
  )
}
