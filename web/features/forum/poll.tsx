import { useState } from 'react'
import { type ForumPoll, votePoll } from '#contract/forum.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import styles from './poll.module.css'

type PollProps = {
  topic: number
  poll: ForumPoll
  /** The indexes of the answers that the player chose. */
  votes: readonly number[]
  canVote: boolean
  onVoted: () => Promise<void>
}

/** A poll: its result and, for players, the vote, which they can change until the poll ends. */
export function Poll({ topic, poll: loadedPoll, votes, canVote, onVoted }: PollProps) {
  // The topic is cached for some seconds, so the result comes from the vote's response.
  const [votedPoll, setVotedPoll] = useState<ForumPoll | null>(null)
  const poll = votedPoll ?? loadedPoll
  const [changedVotes, setChangedVotes] = useState<readonly number[] | null>(null)
  const [busy, attempt] = useAttempt()
  const renderedAt = useRenderedAt()
  const isOver = poll.closes_at !== null && Date.parse(poll.closes_at) <= renderedAt
  const isOpen = canVote && !isOver
  const selectedOptions = changedVotes ?? votes
  const voterCount = Math.max(1, poll.voters)
  const selectOption = (option: number, isSelected: boolean) =>
    setChangedVotes(
      poll.choices_max === 1
        ? [option]
        : isSelected
          ? [...selectedOptions, option]
          : selectedOptions.filter((selected) => selected !== option),
    )
  const vote = () =>
    attempt(async () => {
      setVotedPoll((await call(votePoll, { topic, options: [...selectedOptions] })).poll)
      await onVoted()
      setChangedVotes(null)
    })
  return (
    <Panel title="Poll">
      <fieldset className={styles.poll}>
        <legend className={styles.question}>{poll.question}</legend>
        {poll.options.map(({ option, words: label, votes: count }) => (
          <div key={option} className={styles.option}>
            {isOpen && (
              <input
                id={`poll-${option}`}
                type={poll.choices_max === 1 ? 'radio' : 'checkbox'}
                name="poll"
                checked={selectedOptions.includes(option)}
                disabled={
                  !selectedOptions.includes(option) &&
                  poll.choices_max > 1 &&
                  selectedOptions.length >= poll.choices_max
                }
                onChange={({ target }) => selectOption(option, target.checked)}
              />
            )}
            {isOpen ? (
              <label className={styles.text} htmlFor={`poll-${option}`}>
                {label}
              </label>
            ) : (
              <span className={styles.text}>{label}</span>
            )}
            <span className={styles.votes}>
              {count} {count === 1 ? 'vote' : 'votes'}
            </span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${(100 * count) / voterCount}%` }} />
            </span>
          </div>
        ))}
        <p className={text.faint} role="status">
          {poll.voters} {poll.voters === 1 ? 'player has' : 'players have'} voted.
          {poll.choices_max > 1 && ` You can choose up to ${poll.choices_max}.`}
          {isOver && ' This poll is over.'}
        </p>
        {isOpen && (
          <Button busy={busy} disabled={selectedOptions.length === 0} onClick={() => void vote()}>
            {votes.length === 0 ? 'Vote' : 'Change my vote'}
          </Button>
        )}
      </fieldset>
    </Panel>
  )
}
