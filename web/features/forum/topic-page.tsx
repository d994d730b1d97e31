import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import {
  bookmarkTopic,
  type ForumPost,
  getBoardPath,
  getForumTopicPath,
  getMyTopic,
  getTopic,
  visitTopic,
  watchTopic,
} from '#contract/forum.ts'
import { attempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { readId, usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { useSessionState } from '#web/api/session.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { Count } from '#web/ui/value.tsx'
import { useHasDraft } from './drafts.ts'
import { getTopicQuery, topicSearch, useLoadedForum } from './forum-view.ts'
import { Poll } from './poll.tsx'
import { Post } from './post.tsx'
import { PostBody } from './post-body.tsx'
import styles from './topic-page.module.css'

const ReplyForm = lazyPart(async () => (await import('./editor.tsx')).ReplyForm)

/** A topic's page: a page of posts, and the form to reply (FORUM-1, FORUM-2). */
export default function TopicPage() {
  const topicNum = readId(useParams().topic)
  const { page } = usePageSearch(topicSearch)
  const { data } = useLoadedForum(getTopicQuery(topicNum, page))
  const renderedAt = useRenderedAt()
  const queries = useQueryClient()
  const state = useSessionState()
  const myTopic = useCall(getMyTopic, { topic: topicNum, page }, { enabled: state === 'in' && data !== undefined })
  /** The quote to add to the reply; `serial` distinguishes repeated quotes of the same text. */
  const [quote, setQuote] = useState<{ serial: number; text: string } | null>(null)
  const [isReplying, setIsReplying] = useState(false)
  const hasDraft = useHasDraft({ topic: topicNum }, isReplying)
  const replyArea = useRef<HTMLDivElement>(null)
  const lastNumber = data?.posts.at(-1)?.number ?? 0
  useEffect(() => {
    if (state === 'unknown' || topicNum === 0) return
    call(visitTopic, { topic: topicNum, number: lastNumber }, { shellFailures: 'none' }).catch(() => undefined)
  }, [topicNum, lastNumber, state])
  useScrollToPost(data?.posts)
  if (data === undefined) return null

  const { topic, board, posts, poll } = data
  const path = getForumTopicPath(topic.category, topic.topic)
  const reloadTopic = async () => {
    await Promise.all([
      queries.refetchQueries({ queryKey: toKeyPrefix(getTopic), type: 'active' }),
      queries.refetchQueries({ queryKey: toKeyPrefix(getMyTopic), type: 'active' }),
    ])
  }
  const closeReply = () => {
    setIsReplying(false)
    // The focus moves to the new element of the button that opened the form.
    requestAnimationFrame(() => replyArea.current?.querySelector('button')?.focus())
  }
  const addQuote = (text: string) => {
    setQuote((previous) => ({ serial: (previous?.serial ?? 0) + 1, text }))
    setIsReplying(true)
  }
  const changeAndRefetch = (send: () => Promise<unknown>) =>
    attempt(async () => {
      await send()
      await myTopic.refetch()
    })
  const toggleWatch = () =>
    changeAndRefetch(() => call(watchTopic, { topic: topicNum, watch: myTopic.data?.watching !== true }))
  const toggleBookmark = () =>
    changeAndRefetch(() => call(bookmarkTopic, { topic: topicNum, bookmark: myTopic.data?.bookmarked !== true }))
  const mayReply = myTopic.data?.may_write === true
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.forum, [getBoardPath(board.category), board.name]]}
        crumb={topic.title}
        title={topic.title}
        lines={[
          <span key="by" className={styles.byline}>
            <Link to={getBoardPath(board.category)} className={styles.board}>
              {board.name}
            </Link>
            <span>by {topic.author.name}</span>
            <RelativeTime iso={topic.created_at} renderedAt={renderedAt} />
            <Count of={topic.views} unit="view" />
            {(topic.pinned || topic.locked) && (
              <span className={styles.marks}>
                {topic.pinned && <span className={styles.mark}>Pinned</span>}
                {topic.locked && <span className={styles.mark}>Closed</span>}
              </span>
            )}
          </span>,
        ]}
      />
      <div className={layout.panels} id="posts">
        <div className={`${layout.buttons} ${styles.tools}`}>
          <Pager list="posts" target={path} page={data.page} lastPage={data.last_page} label="Pages of the topic" />
          {myTopic.data?.may_moderate && (
            <ButtonLink to={`/admin/forum/topics/${topicNum}`} tone="quiet">
              Moderate the topic
            </ButtonLink>
          )}
          {state === 'in' && (
            <>
              <Button tone="quiet" onClick={() => void toggleWatch()}>
                {myTopic.data?.watching ? 'Stop watching' : 'Watch'}
              </Button>
              <Button tone="quiet" onClick={() => void toggleBookmark()}>
                {myTopic.data?.bookmarked ? 'Remove bookmark' : 'Bookmark'}
              </Button>
            </>
          )}
        </div>
        {poll !== null && data.page === 1 && (
          <Poll
            topic={topicNum}
            poll={poll}
            votes={myTopic.data?.votes ?? []}
            canVote={state === 'in'}
            onVoted={reloadTopic}
          />
        )}
        {posts.map((post) => (
          <Post
            key={post.post}
            post={post}
            topic={topic}
            myTopic={myTopic.data}
            onQuote={addQuote}
            onChanged={reloadTopic}
          />
        ))}
        {myTopic.data?.waiting.map(({ post, html }) => (
          <Panel key={post} title="Your post is waiting for a moderator" level={3}>
            <div className={layout.padded}>
              <PostBody html={html} />
            </div>
          </Panel>
        ))}
        <div className={`${layout.buttons} ${styles.tools}`}>
          <Pager
            list="posts"
            target={path}
            page={data.page}
            lastPage={data.last_page}
            label="Pages of the topic, below its posts"
          />
        </div>
        <div ref={replyArea} className={styles.reply}>
          {state === 'guest' && (
            <ButtonLink
              to={`/login?next=${encodeURIComponent(getForumTopicPath(topic.category, topicNum, data.page))}`}
            >
              Log in to reply
            </ButtonLink>
          )}
          {state === 'in' && myTopic.data?.missing && <p className={text.aside}>{myTopic.data.missing}</p>}
          {mayReply && !isReplying && (
            <div className={layout.buttons}>
              <Button onClick={() => setIsReplying(true)}>Reply</Button>
              {hasDraft && <p className={styles.draft}>You have begun a reply here.</p>}
            </div>
          )}
          {mayReply && isReplying && (
            <Suspense fallback={<Panel className={styles.loading}>Loading…</Panel>}>
              <ReplyForm
                topic={topicNum}
                quote={quote}
                onClose={closeReply}
                onWritten={async () => {
                  setIsReplying(false)
                  await reloadTopic()
                }}
              />
            </Suspense>
          )}
        </div>
      </div>
    </>
  )
}

/** Scrolls to the post in the address as soon as its page has rendered. */
function useScrollToPost(posts: readonly ForumPost[] | undefined): void {
  const { hash } = useLocation()
  const isRendered = posts?.some(({ number }) => `#post-${number}` === hash) === true
  useEffect(() => {
    if (isRendered) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash, isRendered])
}
