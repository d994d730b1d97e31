import { CASE_KINDS, decidePosts, getForumCases, undoDecisions } from '#contract/desk-forum.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { HOLD_REASONS, REPORT_REASONS } from '#contract/forum.ts'
import { formatPlural } from '#contract/numbers.ts'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { Queue } from '../../kit/queue.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import styles from './forum.module.css'
import { ForumTabs, OutcomeBadge, useBoards } from './parts.tsx'

type Row = RowOf<typeof getForumCases>

const columns: Column<Row>[] = [
  {
    key: 'post',
    title: 'Post',
    cell: ({ title, excerpt, is_topic }) => (
      <span className={styles.post}>
        <b>
          {is_topic && <span className={`${text.faint} ${deskLayout.strong}`}>New topic: </span>}
          {title}
        </b>
        <span>{excerpt || '(only a picture)'}</span>
      </span>
    ),
  },
  { key: 'kind', title: 'Why', card: 'wide', cell: (row) => <CaseReasons row={row} /> },
  { key: 'author', title: 'By', cell: (row) => <PlayerLink userNum={row.author_num} userId={row.author_name} /> },
  { key: 'board', title: 'Board' },
  {
    key: 'assignee',
    title: 'Assignee',
    cell: ({ assignee, notes }) => (
      <>
        {assignee ?? '—'}
        {notes > 0 && <span className={styles.count}>{formatPlural(notes, 'note')}</span>}
      </>
    ),
  },
  {
    key: 'state',
    title: 'Since',
    sort: 'case',
    cell: (row) =>
      row.outcome === null ? (
        <When at={row.opened_at} />
      ) : (
        <span className={deskLayout.badges}>
          <OutcomeBadge outcome={row.outcome} /> {row.closed_by ?? 'by its author'} <When at={row.closed_at} />
        </span>
      ),
  },
]

/** Shows the reasons why a post waits for a moderator. */
export function CaseReasons({ row }: { row: Pick<Row, 'kind' | 'held_for' | 'reasons' | 'reports'> }) {
  return (
    <span className={deskLayout.badges}>
      {row.kind === 'staff' && <StateBadge>{CASE_KINDS.staff}</StateBadge>}
      {row.held_for.map((reason) => (
        <StateBadge key={reason} tone="attention">
          {HOLD_REASONS[reason]}
        </StateBadge>
      ))}
      {row.reasons.map((reason) => (
        <StateBadge key={reason} tone="bad">
          {REPORT_REASONS[reason]}
        </StateBadge>
      ))}
      {row.reports > 1 && <span className={deskLayout.faint}>{row.reports} reports</span>}
    </span>
  )
}

const VIEWS = [
  { label: 'Waiting', query: 'state=open', emptyText: 'Nothing is waiting' },
  { label: 'Reported', query: 'state=open&kind=report', emptyText: 'Nothing is reported' },
  { label: 'Held', query: 'state=open&kind=held', emptyText: 'Nothing is held' },
  { label: 'Mine', query: 'state=open&assignee=me', emptyText: 'Nothing is assigned to you' },
  { label: 'Closed', query: 'state=closed&sort=-case', emptyText: 'Nothing has been decided yet' },
] as const

const EMPTY_QUEUE = { title: 'No cases', line: 'Reported posts, and posts that are held for review, appear here.' }

/** The queue of reported and held posts. */
export function Screen() {
  const boards = useBoards()
  return (
    <>
      <ScreenHead
        title="Forum"
        line="Posts that players reported, and posts by new players waiting for review. The longest waiting come first."
      >
        <ForumTabs current="cases" />
      </ScreenHead>
      <Queue views={VIEWS} viewFilters={['state', 'kind', 'assignee']}>
        {(emptyText) => (
          <List
            endpoint={getForumCases}
            label="Forum cases"
            columns={columns}
            filters={{
              q: { kind: 'search', label: 'Author or case number' },
              state: {
                kind: 'choice',
                label: 'State',
                options: { open: 'Waiting', closed: 'Closed' },
              },
              kind: { kind: 'choice', label: 'Why', options: CASE_KINDS },
              board: { kind: 'choice', label: 'Board', options: boards },
              assignee: { kind: 'text', label: 'Assignee' },
            }}
            getId={({ case_num }) => case_num}
            getLink={({ post }) => `/admin/forum/posts/${post}`}
            empty={EMPTY_QUEUE}
            {...(emptyText !== undefined && { emptyView: { ...EMPTY_QUEUE, title: emptyText } })}
            renderBulkActions={(rows, clear) => <BulkActions rows={rows} clear={clear} />}
          />
        )}
      </Queue>
    </>
  )
}

/** Decides on the selected posts. The message counts the decided and the skipped ones. */
function BulkActions({ rows, clear }: { rows: Row[]; clear: () => void }) {
  const openCases = rows.filter(({ state }) => state === 'open')
  const posts = openCases.map(({ post, version, case_num }) => ({ post, version, case_num }))
  const undoAction = useAction(undoDecisions)
  const undoDecision = ({ cases }: CallOutput<typeof decidePosts>) => undoAction.run({ cases })
  const countText = formatPlural(posts.length, 'post')
  if (posts.length === 0) return <p>These have already been decided.</p>
  return (
    <>
      <DeskAction
        endpoint={decidePosts}
        input={{ decision: 'approve', posts }}
        label="Approve"
        tone="paper"
        undo={undoDecision}
        onDone={clear}
      />
      <DeskAction
        endpoint={decidePosts}
        input={{ decision: 'dismiss', posts }}
        label="Close without action"
        tone="secondary"
        undo={undoDecision}
        onDone={clear}
      />
      <DeskAction
        endpoint={decidePosts}
        input={{ decision: 'reject' as const, posts }}
        label="Reject"
        tone="secondary"
        confirmation={{
          title: `Reject ${countText}?`,
          action: `Reject ${countText}`,
          tone: 'danger',
          text: `Readers no longer see them, and each author gets a letter with your reason. ${UNDO_NOTE}`,
          reason: 'required',
          reasonHint: 'each author gets it as a letter',
        }}
        onDone={clear}
      />
      <DeskAction
        endpoint={decidePosts}
        input={{ decision: 'delete', posts }}
        label="Delete"
        tone="secondary"
        confirmation={{
          title: `Delete ${countText}?`,
          action: `Delete ${countText}`,
          tone: 'danger',
          text: `Readers no longer see them. The authors get no message. ${UNDO_NOTE}`,
        }}
        onDone={clear}
      />
    </>
  )
}

const UNDO_NOTE = 'You can undo each decision on the page of its post.'
