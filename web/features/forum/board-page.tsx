import { Suspense, useState } from 'react'
import { useParams } from 'react-router'
import {
  FORUM_PAGE_SIZE,
  FORUM_TEXTS,
  type ForumTopicRow,
  getBoardPath,
  getForumPostPath,
  getForumTopicPath,
  getMyBoard,
  getPageOfPost,
  markBoardRead,
} from '#contract/forum.ts'
import { formatCount } from '#contract/numbers.ts'
import { attempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { readId, usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { useSessionState } from '#web/api/session.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { lazyPart } from '#web/ui/lazy-part.ts'
import link from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { Count, Value } from '#web/ui/value.tsx'
import { AuthorMark } from './author-card.tsx'
import styles from './board-page.module.css'
import { useHasDraft } from './drafts.ts'
import { boardSearch, getBoardQuery, useLoadedForum } from './forum-view.ts'

const TopicForm = lazyPart(async () => (await import('./editor.tsx')).TopicForm)

/** A board's page: its topics as a list, or as a grid of pictures in the gallery (FORUM-1). */
export default function BoardPage() {
  const category = readId(useParams().category)
  const view = usePageSearch(boardSearch)
  const { data } = useLoadedForum(getBoardQuery(category, view))
  const state = useSessionState()
  const topics = data?.topics ?? []
  const myBoard = useCall(
    getMyBoard,
    { category, topics: topics.map(({ topic }) => topic).join() },
    { enabled: state === 'in' && data !== undefined },
  )
  const [isWriting, setIsWriting] = useState(false)
  const hasDraft = useHasDraft({ category }, isWriting)
  if (data === undefined) return null
  const { board, total, page, last_page, older } = data
  const markAllRead = () =>
    attempt(async () => {
      const { message } = await call(markBoardRead, { category })
      await myBoard.refetch()
      void showToast('done', message)
    })
  const unreadNumbers = new Map(myBoard.data?.unread.map(({ topic, number }) => [topic, number]))
  const mayWrite = myBoard.data?.may_write !== false
  const actions = (
    // A single element, because a phone shows only the first action.
    <div>
      <div data-for="guest">
        <ButtonLink to={`/login?next=${encodeURIComponent(getBoardPath(category))}`} tone="secondary">
          Log in to write
        </ButtonLink>
      </div>
      <div data-for="player">
        <Button
          className={styles.writeButton}
          onClick={() => setIsWriting(true)}
          disabled={!mayWrite}
          aria-describedby={myBoard.data?.missing ? 'missing' : undefined}
        >
          New topic
        </Button>
      </div>
    </div>
  )
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.forum]}
        crumb={board.name}
        title={board.name}
        lines={[board.description]}
        actions={actions}
      />
      <div className={layout.panels}>
        {myBoard.data?.missing && (
          <p className={text.aside} id="missing">
            {myBoard.data.missing}
          </p>
        )}
        {isWriting && mayWrite && (
          <Suspense fallback={<Panel className={styles.loading}>Loading…</Panel>}>
            <TopicForm category={category} isGallery={board.is_gallery} onClose={() => setIsWriting(false)} />
          </Suspense>
        )}
        {hasDraft && !isWriting && (
          <p className={text.quiet}>You have begun a topic here. Press New topic to continue it.</p>
        )}
        {myBoard.data?.waiting.map(({ topic, title }) => (
          <p key={topic} className={`${text.aside} ${styles.waiting}`}>
            Your topic <b>{title}</b> is waiting for a moderator.
          </p>
        ))}
        <Panel
          id="topics"
          title="Topics"
          actions={
            unreadNumbers.size > 0 ? (
              <Button tone="quiet" onClick={() => void markAllRead()}>
                Mark all as read
              </Button>
            ) : (
              <Link to="/forum">All boards</Link>
            )
          }
        >
          {topics.length === 0 && <EmptyState title="No topics yet" line="Be the first to write something here." />}
          {board.is_gallery ? (
            <ul className={styles.grid}>
              {topics.map((row) => (
                <GalleryCard key={row.topic} row={row} firstUnread={unreadNumbers.get(row.topic)} />
              ))}
            </ul>
          ) : (
            <ul>
              {topics.map((row) => (
                <TopicLine key={row.topic} row={row} firstUnread={unreadNumbers.get(row.topic)} />
              ))}
            </ul>
          )}
          {(last_page > 1 || older !== null || view.before !== undefined) && (
            <div className={styles.pager}>
              {view.before === undefined ? (
                <Pager
                  list="topics"
                  target={getBoardPath(category)}
                  page={page}
                  lastPage={last_page}
                  label={`Pages of ${board.name}`}
                />
              ) : (
                <Link to={getBoardPath(category)} list="topics">
                  Newest topics
                </Link>
              )}
              {older !== null && (
                <Link to={`${getBoardPath(category)}?before=${older}`} list="topics">
                  Older topics
                </Link>
              )}
            </div>
          )}
        </Panel>
        <p className={text.faint}>
          <Count of={total} unit="topic" />
          {board.level_needed > 1 && ` · You need a character of level ${board.level_needed} to write here.`}
          {board.read_only && ` · ${FORUM_TEXTS.readOnly}`}
        </p>
      </div>
    </>
  )
}

type RowProps = {
  row: ForumTopicRow
  /** The number of the player’s first unread post. */
  firstUnread: number | undefined
}

const getUnreadPath = ({ category, topic }: ForumTopicRow, firstUnread: number | undefined) =>
  firstUnread === undefined || firstUnread <= 1
    ? getForumTopicPath(category, topic)
    : getForumPostPath(category, topic, firstUnread)

/** A topic in a list. */
function TopicLine({ row, firstUnread }: RowProps) {
  const renderedAt = useRenderedAt()
  const { replies } = row
  return (
    <li className={styles.topic} data-new={firstUnread !== undefined || undefined}>
      <AuthorMark author={row.author} size={48} />
      <div className={layout.shrinks}>
        <h3 className={styles.title}>
          {row.pinned && <span className={styles.mark}>Pinned</span>}
          {row.locked && <span className={styles.mark}>Closed</span>}
          {row.has_poll && <span className={styles.mark}>Poll</span>}
          <Link to={getUnreadPath(row, firstUnread)} className={link.wide}>
            {row.title}
          </Link>
          {firstUnread !== undefined && <span className={`${text.flag} ${styles.newFlag}`}>new</span>}
        </h3>
        <p className={styles.byline}>
          {row.author.name} · <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
          <TopicPages row={row} />
        </p>
      </div>
      <p className={styles.counts}>
        <span>
          <b>
            <Value>{formatCount(replies)}</Value>
          </b>{' '}
          <span>{replies === 1 ? 'reply' : 'replies'}</span>
        </span>
        <span>
          <b>
            <Value>{formatCount(row.views)}</Value>
          </b>{' '}
          <span>{row.views === 1 ? 'view' : 'views'}</span>
        </span>
      </p>
      <p className={styles.lastPost}>
        <AuthorMark author={row.last_writer} size={32} />
        <Link to={getForumPostPath(row.category, row.topic, row.last_number)} className={styles.lastLink}>
          <span className="visually-hidden">Newest post, by </span>
          {row.last_author}
        </Link>
        <RelativeTime iso={row.last_post_at} renderedAt={renderedAt} />
      </p>
    </li>
  )
}

const LAST_PAGE_LINKS = 3

/** Links to the last pages of a long topic. */
function TopicPages({ row: { category, topic, last_number } }: { row: ForumTopicRow }) {
  const lastPage = getPageOfPost(last_number)
  if (last_number <= FORUM_PAGE_SIZE) return null
  const firstPage = Math.max(2, lastPage - LAST_PAGE_LINKS + 1)
  return (
    <span className={styles.pages}>
      {Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index).map((page) => (
        <Link key={page} to={getForumTopicPath(category, topic, page)}>
          <span className="visually-hidden">Page </span>
          {page}
        </Link>
      ))}
    </span>
  )
}

/** A topic in the gallery, shown by its first picture. */
function GalleryCard({ row, firstUnread }: RowProps) {
  const { replies } = row
  return (
    <li className={styles.card} data-new={firstUnread !== undefined || undefined}>
      <span className={styles.picture}>
        {row.picture === null ? (
          <AuthorMark author={row.author} size={96} />
        ) : (
          <img src={row.picture} alt="" className={layout.cover} width="480" height="360" loading="lazy" />
        )}
      </span>
      <h3 className={styles.cardTitle}>
        <Link to={getUnreadPath(row, firstUnread)} className={link.wide}>
          {row.title}
        </Link>
      </h3>
      <p className={styles.byline}>
        {row.pinned && <span className={styles.mark}>Pinned</span>}
        {row.author.name} · {replies}&nbsp;{replies === 1 ? 'reply' : 'replies'}
        {firstUnread !== undefined && <span className={`${text.flag} ${styles.newFlag}`}>new</span>}
      </p>
    </li>
  )
}
