import { useState } from 'react'
import { useParams } from 'react-router'
import { assignForumCase, getForumCases, getForumPost, undoDecisions, writeCaseNote } from '#contract/desk-forum.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { HOLD_REASONS, REPORT_REASONS } from '#contract/forum.ts'
import { useCall } from '#web/api/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { createAssigneeField, DeskField } from '../../kit/fields.tsx'
import { NoteList, Notes } from '../../kit/notes.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMe } from '../../me.ts'
import { AuthorPanel } from './author.tsx'
import { DecisionPanel } from './decide.tsx'
import styles from './forum.module.css'
import { ForumStateBadge, OutcomeBadge, PollText, PostText, TopicBadges } from './parts.tsx'

type Page = CallOutput<typeof getForumPost>
type Case = NonNullable<Page['open']>

/** Shows a post in its topic, with its case and every action of a moderator. */
export function Screen() {
  const { post = '' } = useParams()
  const page = useCall(getForumPost, { post })
  return (
    <Loaded result={page} height={640}>
      {(value) => <PostPage key={value.post.post} page={value} />}
    </Loaded>
  )
}

function PostPage({ page }: { page: Page }) {
  const { post, topic, open, author } = page
  return (
    <RecordPage
      back={{ to: '/admin/forum', label: 'Cases' }}
      title={post.title}
      badges={
        <span className={deskLayout.badges}>
          <ForumStateBadge state={post.state} />
          {open !== null && <StateBadge tone="attention">Waiting for a decision</StateBadge>}
        </span>
      }
      actions={
        <>
          <NextCase post={post.post} />
          {post.path !== null && (
            <ButtonLink to={post.path} tone="secondary">
              In the forum
            </ButtonLink>
          )}
        </>
      }
      facts={{
        Post: post.is_topic ? 'First post of the topic' : post.number === null ? 'A reply' : `Reply no. ${post.number}`,
        Topic: (
          <>
            <Link to={`/admin/forum/topics/${topic.topic}`} className={deskLayout.link}>
              Move, pin, close or delete
            </Link>{' '}
            <TopicBadges topic={topic} />
          </>
        ),
        Board: topic.board,
        By: <PlayerLink userNum={author.user_num} userId={author.name} />,
        Written: <When at={post.created_at} show="both" />,
        'Held for': post.held_for.length > 0 && post.held_for.map((reason) => HOLD_REASONS[reason]).join(', '),
        'Rejected for': post.reason !== '' && post.reason,
      }}
    >
      <div className={deskLayout.columns}>
        <div className={layout.panels}>
          <PostInTopic page={page} />
          <DecisionPanel page={page} />
          <EarlierDecisions cases={page.closed} />
        </div>
        <div className={layout.panels}>
          {open !== null && <Reports open={open} page={page} />}
          <AuthorPanel page={page} />
          <Notes endpoint={writeCaseNote} subject={{ post: page.post.post }} notes={page.open?.notes ?? []} />
        </div>
      </div>
    </RecordPage>
  )
}

/** Links to the case that has waited longest, so moderators need not return to the queue. */
function NextCase({ post }: { post: number }) {
  const { data } = useCall(getForumCases, { state: 'open' })
  const next = data?.rows.find((row) => row.post !== post)
  if (next === undefined) return null
  return (
    <ButtonLink to={`/admin/forum/posts/${next.post}`} tone="secondary">
      Next case
    </ButtonLink>
  )
}

function PostInTopic({ page: { post, poll, earlier, later, author } }: { page: Page }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="The post in its topic">
      <ol className={styles.conversation}>
        {earlier.map((neighbor) => (
          <NeighborPost key={neighbor.post} post={neighbor} />
        ))}
        <li data-current="">
          <p className={styles.byline}>
            <b>{author.name}</b>{' '}
            <span className={deskLayout.faint}>
              {post.number !== null && `no. ${post.number} · `}
              <When at={post.created_at} />
              {post.edited_at !== null && (
                <>
                  {' '}
                  · edited <When at={post.edited_at} />
                </>
              )}
            </span>
          </p>
          <PostText post={post.post} html={post.html} />
          {poll !== null && <PollText poll={poll} />}
          {post.before.length > 0 && (
            <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide earlier versions' : 'Earlier versions'}
            </Button>
          )}
          {isOpen &&
            post.before.map(({ title, html, written_at }) => (
              <div key={written_at} className={styles.earlierVersion}>
                <p className={deskLayout.faint}>
                  <When at={written_at} /> {title}
                </p>
                <PostText post={post.post} html={html} />
              </div>
            ))}
        </li>
        {later.map((neighbor) => (
          <NeighborPost key={neighbor.post} post={neighbor} />
        ))}
      </ol>
    </Panel>
  )
}

function NeighborPost({ post }: { post: Page['earlier'][number] }) {
  return (
    <li>
      <p className={styles.byline}>
        <Link to={`/admin/forum/posts/${post.post}`} className={deskLayout.link}>
          {post.author_name}
        </Link>{' '}
        <span className={deskLayout.faint}>
          no. {post.number} · <When at={post.created_at} />
        </span>
      </p>
      <div className={styles.neighbor}>
        <PostText post={post.post} html={post.html} />
      </div>
    </li>
  )
}

function Reports({ open, page }: { open: Case; page: Page }) {
  const me = useMe()
  const assign = useAction(assignForumCase)
  const assignTo = (to: number | null) => void assign.run({ case_num: open.case_num, from: open.assignee_num, to })
  return (
    <Panel title={`Case ${open.case_num}`}>
      <div className={deskLayout.body}>
        <DeskField
          field={{ ...createAssigneeField(page.assignees), disabled: assign.busy }}
          value={open.assignee_num}
          onChange={assignTo}
        />
        {open.assignee_num !== me.user_num && (
          <Button tone="secondary" busy={assign.busy} onClick={() => assignTo(me.user_num)}>
            {open.assignee_num === null ? 'Take it' : 'Take it over'}
          </Button>
        )}
        <p className={deskLayout.faint}>
          {open.kind === 'held'
            ? 'The post was held before readers saw it.'
            : open.kind === 'staff'
              ? 'A moderator opened this case.'
              : 'Players reported this post.'}{' '}
          <When at={open.opened_at} />
        </p>
        <ReportList reports={open.reports} />
      </div>
    </Panel>
  )
}

function ReportList({ reports }: { reports: Case['reports'] }) {
  return (
    <ul className={deskLayout.list} aria-label="Reports">
      {reports.map(({ by, by_num, reason, words, reported_at }) => (
        <li key={by_num}>
          <p>
            <b>{REPORT_REASONS[reason]}</b>
          </p>
          {words !== '' && <p className={deskLayout.withBreaks}>{words}</p>}
          <p className={deskLayout.faint}>
            <PlayerLink userNum={by_num} userId={by} /> · <When at={reported_at} />
          </p>
        </li>
      ))}
    </ul>
  )
}

/** Lists the decisions on this post, newest first. */
function EarlierDecisions({ cases }: { cases: Case[] }) {
  if (cases.length === 0) return null
  return (
    <Panel title="Earlier decisions">
      <ul className={styles.conversation}>
        {cases.map((closedCase) => (
          <li key={closedCase.case_num}>
            <p className={styles.byline}>
              {closedCase.outcome !== null && <OutcomeBadge outcome={closedCase.outcome} />}{' '}
              <span className={deskLayout.faint}>
                Case {closedCase.case_num} · {closedCase.closed_by ?? 'closed with the post'} ·{' '}
                <When at={closedCase.closed_at} show="both" />
              </span>
            </p>
            <ReportList reports={closedCase.reports} />
            <NoteList notes={closedCase.notes} />
            {closedCase.can_undo && (
              <DeskAction
                endpoint={undoDecisions}
                input={{ cases: [closedCase.case_num] }}
                label="Undo"
                tone="secondary"
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
