import { BOOKMARKS_PATH, bookmarkTopic, FORUM_TEXTS, getBookmarks } from '#contract/forum.ts'
import { attempt } from '#web/api/attempt.ts'
import { call, isSessionExpired } from '#web/api/call.ts'
import { useHydrated } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { useSessionState } from '#web/api/session.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import styles from './activity-row.module.css'
import { Activity, ActivityRow } from './activity-row.tsx'

/** A player's bookmarked topics (FORUM-4). Its HTML is the same for every visitor. */
export default function BookmarksPage() {
  const isReady = useHydrated()
  const state = useSessionState()
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.forum]}
        crumb={FORUM_TEXTS.bookmarks}
        title={FORUM_TEXTS.bookmarks}
        lines={[FORUM_TEXTS.bookmarksLine]}
      />
      <Panel title="Topics">
        {isReady && state === 'guest' ? (
          <EmptyState
            title="Log in to see your bookmarks"
            action={<ButtonLink to={`/login?next=${BOOKMARKS_PATH}`}>Log in</ButtonLink>}
          />
        ) : isReady && state === 'in' ? (
          <Bookmarks />
        ) : (
          <BookmarksSkeleton />
        )}
      </Panel>
      <div className={layout.wideOnly}>
        <Activity />
      </div>
    </>
  )
}

function BookmarksSkeleton() {
  return (
    <div className={layout.padded} role="status">
      <span className="visually-hidden">Loading</span>
      <Skeleton width="100%" height={260} />
    </div>
  )
}

function Bookmarks() {
  const { data, error, refetch } = useCall(getBookmarks, {}, { staleTime: 0 })
  const remove = (topic: number) =>
    attempt(async () => {
      await call(bookmarkTopic, { topic, bookmark: false })
      await refetch()
    })
  if (data === undefined)
    return error === null || isSessionExpired(error) ? (
      <BookmarksSkeleton />
    ) : (
      <div role="alert">
        <EmptyState
          title="We couldn’t load your bookmarks."
          line="Check your connection and try again."
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </div>
    )
  if (data.topics.length === 0)
    return (
      <EmptyState
        title="No bookmarks yet"
        line="Press Bookmark at the top of a topic to find it here again."
        action={<ButtonLink to="/forum">All boards</ButtonLink>}
      />
    )
  return (
    <ul className={layout.rows}>
      {data.topics.map((row) => (
        <ActivityRow key={row.topic} row={row} firstUnread={row.unread}>
          <Button tone="quiet" className={styles.button} onClick={() => void remove(row.topic)}>
            Remove<span className="visually-hidden"> the bookmark of {row.title}</span>
          </Button>
        </ActivityRow>
      ))}
    </ul>
  )
}
