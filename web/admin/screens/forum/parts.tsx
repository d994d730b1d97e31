import { type SyntheticEvent, useEffect, useRef } from 'react'
import {
  CASE_OUTCOMES,
  FORUM_STATES,
  getDeskBoards,
  type getDeskTopics,
  getForumPicture,
  liftSilence,
} from '#contract/desk-forum.ts'
import type { ForumPoll } from '#contract/forum.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { StateBadge, type Tone } from '../../kit/facts.tsx'
import type { RowOf } from '../../kit/list.tsx'
import { ScreenParts } from '../../kit/screen.tsx'
import styles from './forum.module.css'

const PARTS = [
  { key: 'cases', label: 'Cases', to: '/admin/forum' },
  { key: 'topics', label: 'Topics', to: '/admin/forum/topics' },
  { key: 'silences', label: 'Silences', to: '/admin/forum/silences?state=on' },
  { key: 'boards', label: 'Boards', to: '/admin/forum/boards' },
  { key: 'words', label: 'Watched words', to: '/admin/forum/words' },
] as const

/** The parts of the screen. */
export const ForumTabs = ({ current }: { current: (typeof PARTS)[number]['key'] }) => (
  <ScreenParts screen="Forum" parts={PARTS} current={current} />
)

const TONES: Record<keyof typeof FORUM_STATES, Tone> = {
  visible: 'good',
  held: 'attention',
  rejected: 'bad',
  deleted: 'off',
}

/** Shows the state of a post or topic. */
export function ForumStateBadge({ state }: { state: keyof typeof FORUM_STATES }) {
  return <StateBadge tone={TONES[state]}>{FORUM_STATES[state]}</StateBadge>
}

const OUTCOME_TONES: Record<keyof typeof CASE_OUTCOMES, Tone> = {
  approved: 'good',
  rejected: 'bad',
  deleted: 'bad',
  dismissed: 'off',
}

/** Shows how a moderator decided a case. */
export function OutcomeBadge({ outcome }: { outcome: keyof typeof CASE_OUTCOMES }) {
  return <StateBadge tone={OUTCOME_TONES[outcome]}>{CASE_OUTCOMES[outcome]}</StateBadge>
}

/** Shows the special states of a topic; nothing for an ordinary open topic. */
export function TopicBadges({ topic }: { topic: Pick<RowOf<typeof getDeskTopics>, 'state' | 'pinned' | 'locked'> }) {
  return (
    <span className={deskLayout.badges}>
      {topic.state !== 'visible' && <ForumStateBadge state={topic.state} />}
      {topic.pinned && <StateBadge>Pinned</StateBadge>}
      {topic.locked && <StateBadge>Closed</StateBadge>}
    </span>
  )
}

/** Loads the boards that the caller moderates, for a filter or a choice. */
export function useBoards() {
  const boards = useCall(getDeskBoards, {})
  const { rows = [], mine = null } = boards.data ?? {}
  return rows
    .filter(({ category }) => mine === null || mine.includes(category))
    .map(({ category, name }) => [String(category), name] as const)
}

/**
 * Shows a player's text as readers see it. Pictures that readers can no longer load are fetched with the moderator’s
 * token.
 */
export function PostText({ post, html }: { post: number; html: string }) {
  const objectUrls = useRef<string[]>([])
  useEffect(() => () => objectUrls.current.forEach(URL.revokeObjectURL), [])
  if (html === '') return <p className={deskLayout.faint}>The text has been deleted permanently.</p>
  const loadRemovedPicture = async ({ target }: SyntheticEvent) => {
    const url = target instanceof HTMLImageElement ? target.getAttribute('src') : null
    if (!(target instanceof HTMLImageElement) || !url?.startsWith('/files/')) return
    const file = await deskCall(getForumPicture, { post, url }).catch(() => null)
    if (file === null) return
    const address = URL.createObjectURL(file)
    objectUrls.current.push(address)
    target.src = address
  }
  // The server has cleaned it (server/features/forum/markdown.ts).
  return (
    <div
      className={styles.text}
      onErrorCapture={(event) => void loadRemovedPicture(event)}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

/** Shows the poll of a topic, which readers see above its first post. */
export function PollText({ poll: { question, options } }: { poll: ForumPoll }) {
  return (
    <div className={styles.poll}>
      <p>
        <span className={deskLayout.faint}>Poll:</span> <b>{question}</b>
      </p>
      <ul>
        {options.map(({ option, words, votes }) => (
          <li key={option}>
            {words}{' '}
            <span className={deskLayout.faint}>
              ·&nbsp;{votes}&nbsp;{votes === 1 ? 'vote' : 'votes'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type LiftSilenceProps = { silence: number; name: string; label: string; about?: string; tone: 'quiet' | 'secondary' }

/** Ends a silence early. */
export function LiftSilence({ silence, name, ...button }: LiftSilenceProps) {
  return (
    <DeskAction
      endpoint={liftSilence}
      input={{ silence }}
      {...button}
      confirmation={{
        title: 'Lift this silence?',
        action: 'Lift it',
        text: `${name} can post again right away, and gets a letter about it.`,
      }}
    />
  )
}
