import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import {
  deletePost,
  type ForumPost,
  type ForumTopicRow,
  getForumPostPath,
  type getMyTopic,
  getPostHistory,
  getPostSource,
  likePost,
  TOMBSTONES,
} from '#contract/forum.ts'
import { formatCount } from '#contract/numbers.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LineDrawing } from '#web/ui/icon.tsx'
import layout from '#web/ui/layout.module.css'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import { showToast } from '#web/ui/toast.ts'
import { AuthorCard } from './author-card.tsx'
import styles from './post.module.css'
import { PostBody } from './post-body.tsx'

const EditForm = lazyPart(async () => (await import('./editor.tsx')).EditForm)
const ReportDialog = lazyPart(async () => (await import('./report-dialog.tsx')).ReportDialog)

type PostProps = {
  post: ForumPost
  topic: ForumTopicRow
  /** The player's private data; undefined for guests and until it has loaded. */
  myTopic: CallOutput<typeof getMyTopic> | undefined
  onQuote: (text: string) => void
  onChanged: () => Promise<void>
}

/** A post with its author; a placeholder for a deleted post. */
export function Post({ post, topic, myTopic, onQuote, onChanged }: PostProps) {
  const renderedAt = useRenderedAt()
  const [isEditing, setIsEditing] = useState(false)
  const { number, author, tombstone, html, created_at, edited_at } = post
  const address = getForumPostPath(topic.category, topic.topic, number)
  if (tombstone !== null)
    return (
      <article id={`post-${number}`} className={`${styles.post} ${styles.deletedPost}`} aria-label={`Post ${number}`}>
        <p>
          #{number} · {TOMBSTONES[tombstone]}
        </p>
      </article>
    )
  return (
    <article id={`post-${number}`} className={styles.post} aria-label={`Post ${number} by ${author.name}`}>
      <AuthorCard author={author} />
      <div className={layout.shrinks}>
        <header className={styles.head}>
          <Link to={address} className={styles.number}>
            <span className="visually-hidden">Post </span>#{number}
          </Link>
          <RelativeTime iso={created_at} renderedAt={renderedAt} />
          {edited_at !== null && <PostHistory post={post} />}
        </header>
        {isEditing ? (
          <Suspense>
            <EditForm
              post={post.post}
              onClose={() => setIsEditing(false)}
              onWritten={async () => {
                setIsEditing(false)
                await onChanged()
              }}
            />
          </Suspense>
        ) : (
          <PostBody html={html} />
        )}
        <PostTools
          post={post}
          topic={topic}
          myTopic={myTopic}
          onQuote={onQuote}
          onChanged={onChanged}
          onEdit={() => setIsEditing(true)}
        />
      </div>
    </article>
  )
}

type ToolProps = PostProps & { onEdit: () => void }

/** A player's actions on a post, with further actions for moderators. */
function PostTools({ post, topic, myTopic, onQuote, onChanged, onEdit }: ToolProps) {
  const navigate = useNavigate()
  const [openDialog, setOpenDialog] = useState<'report' | 'delete' | null>(null)
  const [busy, attempt] = useAttempt()
  const isOwn = myTopic?.own.includes(post.post) === true
  const isLiked = myTopic?.liked.includes(post.post) === true
  const quotePost = () =>
    attempt(async () => {
      const { body } = await call(getPostSource, { post: post.post })
      const quotedLines = body
        .replace(/!\[([^\]]*)\]\([^)]*\)/g, '[$1]')
        .split('\n')
        .map((line) => `> ${line}`)
      const address = getForumPostPath(topic.category, topic.topic, post.number)
      onQuote(`> **${post.author.name}** [#${post.number}](${address})\n>\n${quotedLines.join('\n')}\n\n`)
    })
  const removePost = () =>
    attempt(async () => {
      const { message, path } = await call(deletePost, { post: post.post })
      setOpenDialog(null)
      void showToast('done', message)
      if (path.startsWith(`/forum/${topic.category}/`)) await onChanged()
      else await navigate(path)
    })
  const likes = post.likes > 0 ? formatCount(post.likes) : ''
  if (myTopic === undefined)
    return post.likes === 0 ? null : (
      <p className={styles.tools}>
        <Heart /> {likes} {post.likes === 1 ? 'like' : 'likes'}
      </p>
    )
  return (
    <div className={styles.tools}>
      <Button
        tone="quiet"
        className={isLiked ? styles.liked : undefined}
        aria-pressed={isLiked}
        disabled={isOwn}
        onClick={() => void attempt(() => call(likePost, { post: post.post, like: !isLiked }).then(onChanged))}
      >
        <Heart /> {isOwn && post.likes > 0 ? '' : 'Like '}
        {likes}
        {isOwn && <span className="visually-hidden"> likes</span>}
      </Button>
      {myTopic.may_write && (
        <Button tone="quiet" busy={busy} onClick={() => void quotePost()}>
          Quote
        </Button>
      )}
      {isOwn && !topic.locked && (
        <>
          <Button tone="quiet" onClick={onEdit}>
            Edit
          </Button>
          <Button tone="quiet" onClick={() => setOpenDialog('delete')}>
            Delete
          </Button>
        </>
      )}
      {!isOwn && (
        <Button tone="quiet" onClick={() => setOpenDialog('report')}>
          Report
        </Button>
      )}
      {myTopic.may_moderate && (
        <ButtonLink to={`/admin/forum/posts/${post.post}`} tone="quiet">
          Moderate<span className="visually-hidden"> post {post.number}</span>
        </ButtonLink>
      )}
      {openDialog === 'report' && (
        <Suspense>
          <ReportDialog post={post.post} onClose={() => setOpenDialog(null)} />
        </Suspense>
      )}
      <Dialog
        open={openDialog === 'delete'}
        onClose={() => setOpenDialog(null)}
        title="Delete this post?"
        actions={
          <>
            <Button tone="danger" busy={busy} onClick={() => void removePost()}>
              Delete
            </Button>
            <Button tone="secondary" onClick={() => setOpenDialog(null)}>
              Keep it
            </Button>
          </>
        }
      >
        <p>Readers will see that you deleted it. It can’t be restored.</p>
      </Dialog>
    </div>
  )
}

const Heart = () => <LineDrawing path="M12 20.5 3 11q-2-6 4-7 3 0 5 3.5Q14 4 17 4q6 1 4 7Z" size={18} weight={2.4} />

/** Shows the earlier texts of an edited post. */
function PostHistory({ post: { post } }: { post: ForumPost }) {
  const [open, setOpen] = useState(false)
  const renderedAt = useRenderedAt()
  const { data } = useCall(getPostHistory, { post }, { enabled: open })
  return (
    <>
      <Button tone="quiet" className={styles.editedButton} onClick={() => setOpen(true)}>
        edited
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Earlier versions"
        tone="note"
        actions={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        {data?.revisions.length === 0 && <p>No one saw this post before it was edited.</p>}
        {data?.revisions.map(({ title, html, written_at }) => (
          <section key={written_at} className={styles.revision}>
            <p className={styles.time}>
              <RelativeTime iso={written_at} renderedAt={renderedAt} />
            </p>
            {title !== '' && <h3>{title}</h3>}
            <PostBody html={html} />
          </section>
        ))}
      </Dialog>
    </>
  )
}
