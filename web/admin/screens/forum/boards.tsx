import { useState } from 'react'
import { boardFields, getDeskBoards, getModerators, saveBoard, saveModerator } from '#contract/desk-forum.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { StateBadge } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './forum.module.css'
import { ForumTabs } from './parts.tsx'

type Board = CallOutput<typeof getDeskBoards>['rows'][number]
type Moderator = CallOutput<typeof getModerators>['rows'][number]

/** Lists the boards with their rules and moderators. */
export function Screen() {
  const boards = useCall(getDeskBoards, {})
  const moderators = useCall(getModerators, {})
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Boards"
        line="Who can post in each board, and which posts a moderator has to approve before readers see them."
      >
        <ForumTabs current="boards" />
      </ScreenHead>
      <div className={layout.panels}>
        <Loaded result={boards} height={560}>
          {({ rows, mine }) => (
            <Panel title="Boards in the order of the forum">
              <ul className={styles.boards}>
                {rows.map((board) => (
                  <BoardRow
                    key={board.category}
                    board={board}
                    isModeratedByMe={mine === null || mine.includes(board.category)}
                    mayChange={may('forum.boards') && mine === null}
                  />
                ))}
              </ul>
            </Panel>
          )}
        </Loaded>
        <Loaded result={moderators} height={240}>
          {({ rows }) => (
            <Panel title="Moderators">
              <ul className={styles.boards}>
                {rows.map((person) => (
                  <ModeratorRow
                    key={person.user_num}
                    person={person}
                    boards={boards.data?.rows ?? []}
                    mayChange={may('staff.write') && !person.is_owner}
                  />
                ))}
              </ul>
            </Panel>
          )}
        </Loaded>
      </div>
    </>
  )
}

/** Describes the rules of a board. */
function describeRules({ level_needed, read_only, hold_first, hold_links, hold_words, is_gallery }: Board): string {
  const heldPosts = [
    ...(hold_first > 0 ? [hold_first === 1 ? 'first posts' : `the first ${hold_first} posts`] : []),
    ...(hold_links ? ['links from new players'] : []),
    ...(hold_words ? ['watched words from new players'] : []),
  ]
  return [
    ...(is_gallery ? ['Shown as a grid of pictures.'] : []),
    read_only
      ? 'Only staff can post here.'
      : level_needed > 1
        ? `From level ${level_needed}.`
        : 'Open to every character.',
    heldPosts.length === 0 ? 'Nothing is held back.' : `Held for a moderator: ${heldPosts.join(', ')}.`,
  ].join(' ')
}

function BoardRow({
  board,
  isModeratedByMe,
  mayChange,
}: {
  board: Board
  isModeratedByMe: boolean
  mayChange: boolean
}) {
  const [isEditing, setEditing] = useState(false)
  const { category, name, description, topics, posts, waiting } = board
  return (
    <li>
      <div>
        <p>
          <b>{name}</b>{' '}
          <span className={deskLayout.faint}>
            No. {category} · {formatPlural(topics, 'topic')}, {formatPlural(posts, 'post')}
          </span>
        </p>
        <p>{description}</p>
        <p className={deskLayout.faint}>{describeRules(board)}</p>
      </div>
      {waiting > 0 && isModeratedByMe && (
        <Link to={`/admin/forum?state=open&board=${category}`} className={deskLayout.link}>
          {formatPlural(waiting, 'post')} waiting
        </Link>
      )}
      {mayChange && !isEditing && (
        <Button tone="secondary" onClick={() => setEditing(true)}>
          Change<span className="visually-hidden"> {name}</span>
        </Button>
      )}
      {isEditing && (
        <div className={styles.edit}>
          <BoardForm board={board} onClose={() => setEditing(false)} />
        </div>
      )}
    </li>
  )
}

function BoardForm({ board, onClose }: { board: Board; onClose: () => void }) {
  const fetchLatest = async () => {
    const { rows } = await deskCall(getDeskBoards, {})
    return rows.find(({ category }) => category === board.category) ?? board
  }
  return (
    <DeskForm
      endpoint={saveBoard}
      fields={boardFields}
      values={board}
      fetchLatest={fetchLatest}
      successMessage="The board is saved."
      onDone={onClose}
      onCancel={onClose}
      show={[
        ['name', 'description', 'emblem', 'level_needed', 'hold_first'],
        ['read_only', 'hold_links', 'hold_words'],
      ]}
    />
  )
}

type ModeratorRowProps = { person: Moderator; boards: Board[]; mayChange: boolean }

function ModeratorRow({ person, boards, mayChange }: ModeratorRowProps) {
  const [isEditing, setEditing] = useState(false)
  const names = boards.filter(({ category }) => person.boards?.includes(category)).map(({ name }) => name)
  return (
    <li>
      <div>
        <p>
          <b>{person.user_id}</b> {person.is_owner && <StateBadge>Owner</StateBadge>}
        </p>
        <p className={deskLayout.faint}>{person.boards === null ? 'All boards' : names.join(', ')}</p>
      </div>
      {mayChange && !isEditing && (
        <Button tone="secondary" onClick={() => setEditing(true)}>
          Choose boards<span className="visually-hidden"> for {person.user_id}</span>
        </Button>
      )}
      {isEditing && (
        <div className={styles.edit}>
          <ModeratorForm person={person} boards={boards} onClose={() => setEditing(false)} />
        </div>
      )}
    </li>
  )
}

function ModeratorForm({ person, boards, onClose }: Omit<ModeratorRowProps, 'mayChange'> & { onClose: () => void }) {
  return (
    <DeskForm
      endpoint={saveModerator}
      fields={{}}
      values={{ user_num: person.user_num, boards: person.boards ?? [] }}
      successMessage="Saved."
      onDone={onClose}
      onCancel={onClose}
      show={({ values: { boards: chosenBoards = [] }, getError, change }) => [
        <fieldset key="boards">
          <legend>
            Boards that {person.user_id} moderates. Tick none for <b>all boards</b>.
          </legend>
          <div className={styles.choices}>
            {boards.map(({ category, name }) => (
              <Checkbox
                key={category}
                label={name}
                checked={chosenBoards.includes(category)}
                onChange={({ currentTarget: { checked } }) =>
                  change({
                    boards: checked ? [...chosenBoards, category] : chosenBoards.filter((board) => board !== category),
                  })
                }
              />
            ))}
          </div>
          {getError('boards') !== undefined && (
            <p className={deskLayout.failure} role="alert">
              {getError('boards')}
            </p>
          )}
        </fieldset>,
      ]}
    />
  )
}
