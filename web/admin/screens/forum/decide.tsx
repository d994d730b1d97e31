import { useState } from 'react'
import { decidePosts, type getForumPost, silenceAuthor, silenceFields, undoDecisions } from '#contract/desk-forum.ts'
import { formatDays } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { FORUM_DELETED_RETENTION_MS } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { toOptionPairs } from '../../kit/fields.tsx'

type Page = CallOutput<typeof getForumPost>

const toPostVersions = ({ post, open }: Page) => [
  { post: post.post, version: post.version, case_num: open?.case_num ?? null },
]

/** The decisions on a post. The yellow button has the mildest effect for its author. */
export function DecisionPanel({ page }: { page: Page }) {
  const [isSilencing, setSilencing] = useState(false)
  const { post, topic, open, author } = page
  const posts = toPostVersions(page)
  const undoAction = useAction(undoDecisions)
  const undoDecision = ({ cases }: CallOutput<typeof decidePosts>) => undoAction.run({ cases })
  const canRemove = post.state === 'visible' || post.state === 'held'
  const isTopicHidden = !post.is_topic && topic.state !== 'visible'
  const isSilenced = author.silences.some(({ is_on }) => is_on)
  return (
    <Panel title="Decide">
      <div className={deskLayout.body}>
        {!canRemove && open === null && (
          <p className={deskLayout.faint}>
            Readers can’t see this post.{' '}
            {page.closed[0]?.can_undo === true ? 'You can undo the last decision below.' : ''}
          </p>
        )}
        {post.state === 'held' && isTopicHidden && (
          <p className={deskLayout.faint}>Its topic is not visible. Restore the topic before you approve the post.</p>
        )}
        <div className={layout.buttons}>
          {post.state === 'held' && !isTopicHidden && (
            <DeskAction
              endpoint={decidePosts}
              input={{ decision: 'approve', posts }}
              label="Approve"
              undo={undoDecision}
            />
          )}
          {post.state !== 'held' && open !== null && (
            <DeskAction
              endpoint={decidePosts}
              input={{ decision: 'dismiss', posts }}
              label="Close without action"
              undo={undoDecision}
            />
          )}
          {canRemove && (
            <DeskAction
              endpoint={decidePosts}
              input={{ decision: 'reject' as const, posts }}
              label="Reject"
              tone="secondary"
              confirmation={{
                title: 'Reject this post?',
                action: 'Reject it',
                tone: 'danger',
                text: `Readers will no longer see it. ${author.name} gets a letter with your reason and the text of the post.`,
                reason: 'required',
                reasonHint: 'the author gets it as a letter',
              }}
            />
          )}
          {canRemove && (
            <DeskAction
              endpoint={decidePosts}
              input={{ decision: 'delete' as const, posts }}
              label="Delete"
              tone="secondary"
              confirmation={{
                title: 'Delete this post?',
                action: 'Delete it',
                tone: 'danger',
                text: `Readers see that a moderator removed it; ${author.name} gets no message. Its text is deleted permanently after ${formatDays(FORUM_DELETED_RETENTION_MS)}; until then you can restore it.`,
              }}
            />
          )}
          {!author.is_staff && !isSilenced && !isSilencing && (
            <Button tone="secondary" onClick={() => setSilencing(true)}>
              Silence the author
            </Button>
          )}
        </div>
        {isSilencing && <SilenceForm page={page} onClose={() => setSilencing(false)} />}
      </div>
    </Panel>
  )
}

function SilenceForm({ page, onClose }: { page: Page; onClose: () => void }) {
  const { post, author, silence_hours_max } = page
  const hours = toOptionPairs(silenceFields.hours.options ?? {}).filter(
    ([length]) => Number(length) <= silence_hours_max,
  )
  return (
    <DeskForm
      endpoint={silenceAuthor}
      fields={silenceFields}
      fieldAdditions={{ hours: { options: hours } }}
      values={{ post: post.post, hours: '24' }}
      submitLabel={`Silence ${author.name}`}
      successMessage={`${author.name} is silenced. A letter explains why.`}
      onDone={onClose}
      onCancel={onClose}
      show={[
        'reason',
        'hours',
        <p key="effect" className={deskLayout.hint}>
          {author.name} can still read the forum, play and buy. In the forum they see why they cannot write, and until
          when.
        </p>,
      ]}
    />
  )
}
