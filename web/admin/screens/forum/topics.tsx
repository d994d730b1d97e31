import { changeTopics, FORUM_STATES, getDeskTopics } from '#contract/desk-forum.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { DeskAction } from '../../kit/action.tsx'
import { PlayerLink } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { ForumTabs, TopicBadges, useBoards } from './parts.tsx'

type Row = RowOf<typeof getDeskTopics>
type Change = Omit<CallInput<typeof changeTopics>, 'topics'>

const columns: Column<Row>[] = [
  { key: 'title', title: 'Topic' },
  { key: 'state', title: 'State', card: 'end', cell: (row) => <TopicBadges topic={row} /> },
  { key: 'board', title: 'Board' },
  { key: 'author', title: 'By', cell: (row) => <PlayerLink userNum={row.author_num} userId={row.author_name} /> },
  { key: 'posts', title: 'Posts', kind: 'count' },
  { key: 'created_at', title: 'Opened', kind: 'when', sort: 'topic' },
  { key: 'last_post_at', title: 'Last post', card: 'none', kind: 'when' },
]

/** Lists the topics in every state. */
export function Screen() {
  const boards = useBoards()
  return (
    <>
      <ScreenHead
        title="Topics"
        line="Move topics to the right board, pin important topics, close finished topics, and restore deleted topics."
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
          state: { kind: 'choice', label: 'State', options: FORUM_STATES },
          mark: { kind: 'choice', label: 'Show only', options: { pinned: 'Pinned', locked: 'Closed' } },
        }}
        getId={({ topic }) => topic}
        getLink={({ topic }) => `/admin/forum/topics/${topic}`}
        empty={{ title: 'No topics yet', line: 'They appear here when players open them.' }}
        renderBulkActions={(rows, clear) => <TopicActions topics={rows} onDone={clear} />}
      />
    </>
  )
}

type TopicActionsProps = { topics: Row[]; onDone?: () => unknown }

/**
 * The buttons to change one or several topics. Each change has a button that reverses it; deleting and
 * moving first open a dialog.
 */
export function TopicActions({ topics, onDone = () => undefined }: TopicActionsProps) {
  const boards = useBoards().filter(([category]) => topics.some((row) => row.category !== Number(category)))
  const topicVersions = topics.map(({ topic, version }) => ({ topic, version }))
  const countText = topics.length === 1 ? 'this topic' : `${topics.length} topics`
  const sharedProps = { endpoint: changeTopics, tone: 'secondary', onDone } as const
  const renderChange = (label: string, changes: Change) => (
    <DeskAction {...sharedProps} input={{ topics: topicVersions, ...changes }} label={label} />
  )
  const hasTopic = (condition: (row: Row) => boolean) => topics.some(condition)
  const isPresent = (row: Row) => row.state === 'visible' || row.state === 'held'
  return (
    <>
      {hasTopic(isPresent) && (
        <DeskAction
          {...sharedProps}
          input={({ category }) => ({ topics: topicVersions, category: Number(category) })}
          label="Move"
          confirmation={{
            title: `Move ${countText}?`,
            values: { category: '' },
            fields: { category: { kind: 'choice', label: 'To the board', options: boards } },
          }}
        />
      )}
      {hasTopic((row) => !row.pinned) && renderChange('Pin', { pinned: true })}
      {hasTopic((row) => row.pinned) && renderChange('Unpin', { pinned: false })}
      {hasTopic((row) => !row.locked) && renderChange('Close', { locked: true })}
      {hasTopic((row) => row.locked) && renderChange('Reopen', { locked: false })}
      {hasTopic((row) => !isPresent(row)) && renderChange('Restore', { state: 'visible' })}
      {hasTopic(isPresent) && (
        <DeskAction
          {...sharedProps}
          input={{ topics: topicVersions, state: 'deleted' as const }}
          label="Delete"
          confirmation={{
            title: `Delete ${countText}?`,
            action: `Delete ${countText}`,
            tone: 'danger',
            text: 'Readers can no longer find the topic or its posts, and its open cases are closed. You can restore the topic, but not those of its posts that are still waiting for review.',
            reason: 'optional',
            reasonHint: 'the author gets it as a letter; leave it empty to send none',
          }}
        />
      )}
    </>
  )
}
