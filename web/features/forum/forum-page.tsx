import type { CallOutput } from '#contract/endpoint.ts'
import {
  FORUM_TEXTS,
  getBoardPath,
  type getForum,
  getForumPostPath,
  getMyBoards,
  markBoardRead,
} from '#contract/forum.ts'
import { formatCount } from '#contract/numbers.ts'
import { attempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import link from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { useArt } from '#web/ui/theme-art.ts'
import { showToast } from '#web/ui/toast.ts'
import { Value } from '#web/ui/value.tsx'
import { Activity } from './activity-row.tsx'
import { AuthorMark } from './author-card.tsx'
import styles from './forum-page.module.css'
import { getForumQuery, useLoadedForum } from './forum-view.ts'

type Board = CallOutput<typeof getForum>['boards'][number]

/** The page with the boards of the forum (FORUM-1). */
export default function ForumPage() {
  const { data } = useLoadedForum(getForumQuery())
  const session = useSession()
  const myBoards = useCall(getMyBoards, {}, { enabled: session !== null })
  const markAllRead = () =>
    attempt(async () => {
      const { message } = await call(markBoardRead, { category: null })
      await myBoards.refetch()
      void showToast('done', message)
    })
  const unreadBoards = myBoards.data?.unread ?? []
  return (
    <>
      <PageHead crumb="Forum" title="Forum" lines={[FORUM_TEXTS.line]} />
      <div className={layout.panels}>
        <Panel
          title="Boards"
          actions={
            unreadBoards.length > 0 ? (
              <Button tone="quiet" onClick={() => void markAllRead()}>
                Mark all as read
              </Button>
            ) : undefined
          }
        >
          <ul className={layout.rows}>
            {data?.boards.map((board) => (
              <BoardRow key={board.category} board={board} isNew={unreadBoards.includes(board.category)} />
            ))}
          </ul>
        </Panel>
        <Activity />
      </div>
    </>
  )
}

/** A board with its purpose, its number of topics and its newest post. */
function BoardRow({ board, isNew }: { board: Board; isNew: boolean }) {
  const renderedAt = useRenderedAt()
  const { category, name, description, emblem, topics, posts, last, last_writers } = board
  return (
    <li className={styles.board} data-new={isNew || undefined}>
      <img src={useArt(`/art/board-${emblem}.svg`)} alt="" width="56" height="56" className={styles.emblem} />
      <div>
        <h3 className={styles.name}>
          <Link to={getBoardPath(category)} className={link.wide}>
            {name}
          </Link>
          {isNew && <span className={text.flag}>new</span>}
        </h3>
        {description !== '' && <p className={text.quiet}>{description}</p>}
      </div>
      <p className={styles.counts}>
        <span>
          <b>
            <Value>{formatCount(topics)}</Value>
          </b>{' '}
          <span>{topics === 1 ? 'topic' : 'topics'}</span>
        </span>
        <span>
          <b>
            <Value>{formatCount(posts)}</Value>
          </b>{' '}
          <span>{posts === 1 ? 'post' : 'posts'}</span>
        </span>
      </p>
      <div className={styles.lastPost}>
        {last === null ? (
          <p>No topics yet</p>
        ) : (
          <>
            <span className={styles.writers}>
              {last_writers.map((writer, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two authors can be deleted players
                <AuthorMark key={index} author={writer} size={36} />
              ))}
            </span>
            <div className={layout.shrinks}>
              <Link to={getForumPostPath(category, last.topic, last.number)} className={styles.lastTopic}>
                {last.title}
              </Link>
              <p>
                {last.author} · <RelativeTime iso={last.at} renderedAt={renderedAt} />
              </p>
            </div>
          </>
        )}
      </div>
    </li>
  )
}
