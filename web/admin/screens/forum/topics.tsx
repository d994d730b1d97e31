import { useState } from 'react'
import { changeTopics, FORUM_STATES, getDeskTopics } from '#contract/desk-forum.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { useAction } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { PlayerLink, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import styles from './forum.module.css'
import { ForumTabs, TopicBadges, useBoards } from './parts.tsx'

type Row = RowOf<typeof getDeskTopics>
type Change = Omit<CallInput<typeof changeTopics>, 'topics'>

const columns: Column<Row>[] = [
  { key: 'title', title: 'Topic', cell: ({ title }) => title },
  { key: 'state', title: 'State', card: 'end', cell: (row) => <TopicBadges topic={row} /> },
  { key: 'board', title: 'Board', cell: ({ board }) => board },
  { key: 'author', title: 'By', cell: (row) => <PlayerLink userNum={row.author_num} userId={row.author_name} /> },
  { key: 'posts', title: 'Posts', align: 'end', cell: ({ posts }) => formatCount(posts) },
  { key: 'created_at', title: 'Opened', cell: ({ created_at }) => <When at={created_at} />, sort: 'topic' },
  { key: 'last', title: 'Last post', card: 'none', cell: ({ last_post_at }) => <When at={last_post_at} /> },
]

/** Every topic, in whatever state. */
export function Screen() {
  const boards = useBoards()
  return (
    <>
      <ScreenHead
        title="Topics"
        line="Move topics to the right board, pin what everyone should read, close what is finished, restore what was deleted."
      >
        <ForumTabs current="topics" />
      </ScreenHead>
      <List
        endpoint={getDeskTopics}
        label="Topics"
        columns={columns}
        filters={{
          q: { kind: 'search', label: 'Title, author or number' },
          board: { kind: 'choice', label: 'Board', options: boards },
          state: { kind: 'choice', label: 'State', options: Object.entries(FORUM_STATES) },
          mark: {
            kind: 'choice',
            label: 'Show only',
            options: [
              ['pinned', 'Pinned'],
              ['locked', 'Closed'],
            ],
          },
        }}
        idOf={({ topic }) => topic}
        linkOf={({ topic }) => `/admin/forum/topics/${topic}`}
        empty={{ title: 'No topics yet', line: 'They appear here when players open them.' }}
        bulk={(rows, clear) => <TopicActions topics={rows} onDone={clear} />}
      />
    </>
  )
}

type TopicActionsProps = { topics: Row[]; onDone?: () => void }

/** Changes one topic or many. What a button does is undone by doing the opposite; deleting and moving ask first. */
export function TopicActions({ topics, onDone }: TopicActionsProps) {
  const [asking, setAsking] = useState<'move' | 'delete' | null>(null)
  const back = useAction(changeTopics, { done: ({ message }) => message })
  const act = useAction(changeTopics, { done: ({ message }) => message, onDone: () => onDone?.() })
  const seen = topics.map(({ topic, version }) => ({ topic, version }))
  const count = topics.length === 1 ? 'this topic' : `${topics.length} topics`
  const turn = (label: string, change: Change) => (
    <Button tone="secondary" busy={act.busy || back.busy} onClick={() => void act.run({ topics: seen, ...change })}>
      {label}
    </Button>
  )
  const isSome = (test: (row: Row) => boolean) => topics.some(test)
  const isThere = (row: Row) => row.state === 'visible' || row.state === 'held'
  return (
    <>
      {isSome(isThere) && (
        <Button tone="secondary" onClick={() => setAsking('move')}>
          Move
        </Button>
      )}
      {isSome((row) => !row.pinned) && turn('Pin', { pinned: true })}
      {isSome((row) => row.pinned) && turn('Unpin', { pinned: false })}
      {isSome((row) => !row.locked) && turn('Close', { locked: true })}
      {isSome((row) => row.locked) && turn('Reopen', { locked: false })}
      {isSome((row) => !isThere(row)) && turn('Restore', { state: 'visible' })}
      {isSome(isThere) && (
        <Button tone="secondary" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      )}
      <MoveDialog
        key={String(asking)}
        open={asking === 'move'}
        topics={topics}
        count={count}
        onClose={() => setAsking(null)}
        {...(onDone && { onDone })}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={`Delete ${count}?`}
        action={`Delete ${count}`}
        tone="danger"
        reason="optional"
        reasonHint="the author gets it as a letter; without one, nobody is told"
        endpoint={changeTopics}
        input={(reason) => ({ topics: seen, state: 'deleted' as const, reason })}
        done={({ message }) => message}
        onDone={() => onDone?.()}
      >
        <p>
          Readers can no longer find the topic or its posts, and its open cases are closed. You can restore it, but not
          the posts in it that are still waiting for review.
        </p>
      </ConfirmDialog>
    </>
  )
}

type MoveDialogProps = TopicActionsProps & { open: boolean; count: string; onClose: () => void }

function MoveDialog({ open, topics, count, onClose, onDone }: MoveDialogProps) {
  const boards = useBoards().filter(([category]) => topics.some((row) => row.category !== Number(category)))
  const [chosen, setChosen] = useState('')
  const to = chosen || (boards[0]?.[0] ?? '')
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Move ${count}?`}
      action="Move"
      endpoint={changeTopics}
      input={() => ({
        topics: topics.map(({ topic, version }) => ({ topic, version })),
        category: Number(to),
      })}
      done={({ message }) => message}
      onDone={() => onDone?.()}
    >
      <div className={styles.choice}>
        <SelectField label="To the board" value={to} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {boards.map(([category, name]) => (
            <option key={category} value={category}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
    </ConfirmDialog>
  )
}
