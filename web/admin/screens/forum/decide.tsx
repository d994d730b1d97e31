import { useState } from 'react'
import { type Decision, decidePosts, type getForumPost, silenceAuthor, undoDecisions } from '#contract/desk-forum.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import looks from '../../kit/looks.module.css'

type Page = CallOutput<typeof getForumPost>

const seenOf = ({ post, open }: Page) => [{ post: post.post, version: post.version, case_num: open?.case_num ?? null }]

/** What to do with the post: the yellow button is what changes least for its author. */
export function Decide({ page }: { page: Page }) {
  const [asking, setAsking] = useState<'reject' | 'delete' | null>(null)
  const [isSilencing, setSilencing] = useState(false)
  const { post, topic, open, author } = page
  const posts = seenOf(page)
  const undo = useAction(undoDecisions, { done: ({ message }) => message })
  const decide = useAction(decidePosts, {
    done: ({ message }) => message,
    undo: ({ cases }) => undo.run({ cases }),
  })
  const run = (decision: Decision) => void decide.run({ decision, posts })
  const isThere = post.state === 'visible' || post.state === 'held'
  const isTopicGone = !post.is_topic && topic.state !== 'visible'
  const isSilenced = author.silences.some(({ is_on }) => is_on)
  return (
    <Panel title="Decide">
      <div className={looks.body}>
        {!isThere && open === null && (
          <p className={looks.faint}>
            Readers can’t see this post.{' '}
            {page.closed[0]?.can_undo === true ? 'You can undo the last decision below.' : ''}
          </p>
        )}
        {post.state === 'held' && isTopicGone && (
          <p className={looks.faint}>Its topic is not visible. Restore the topic before you approve the post.</p>
        )}
        <div className={layout.buttons}>
          {post.state === 'held' && !isTopicGone && (
            <Button busy={decide.busy} onClick={() => run('approve')}>
              Approve
            </Button>
          )}
          {post.state !== 'held' && open !== null && (
            <Button busy={decide.busy} onClick={() => run('dismiss')}>
              Close without action
            </Button>
          )}
          {isThere && (
            <Button tone="secondary" onClick={() => setAsking('reject')}>
              Reject
            </Button>
          )}
          {isThere && (
            <Button tone="secondary" onClick={() => setAsking('delete')}>
              Delete
            </Button>
          )}
          {!author.is_staff && !isSilenced && !isSilencing && (
            <Button tone="secondary" onClick={() => setSilencing(true)}>
              Silence the author
            </Button>
          )}
        </div>
        {isSilencing && <SilenceForm page={page} onClose={() => setSilencing(false)} />}
      </div>
      <ConfirmDialog
        open={asking === 'reject'}
        onClose={() => setAsking(null)}
        title="Reject this post?"
        action="Reject it"
        tone="danger"
        reason="required"
        reasonHint="the author gets it as a letter"
        endpoint={decidePosts}
        input={(reason) => ({ decision: 'reject' as const, posts, reason })}
        done={({ message }) => message}
      >
        <p>Readers will no longer see it. {author.name} gets a letter with your reason and what they wrote.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'delete'}
        onClose={() => setAsking(null)}
        title="Delete this post?"
        action="Delete it"
        tone="danger"
        endpoint={decidePosts}
        input={() => ({ decision: 'delete' as const, posts })}
        done={({ message }) => message}
      >
        <p>
          Readers see that a moderator removed it; {author.name} is not told. Its text is deleted for good after 30
          days; until then this can be taken back.
        </p>
      </ConfirmDialog>
    </Panel>
  )
}

/** How long a silence lasts, in hours. */
const LENGTHS = [
  [6, '6 hours'],
  [24, '1 day'],
  [72, '3 days'],
  [168, '1 week'],
  [720, '30 days'],
  [2160, '90 days'],
  [8760, '1 year'],
] as const

function SilenceForm({ page, onClose }: { page: Page; onClose: () => void }) {
  const { post, author, silence_hours_max } = page
  return (
    <DeskForm
      endpoint={silenceAuthor}
      values={{ post: post.post, hours: '24', reason: '' }}
      submit={`Silence ${author.name}`}
      done={`${author.name} is silenced. A letter tells them why.`}
      onDone={onClose}
      onCancel={onClose}
    >
      {({ field }) => (
        <>
          <TextField label="Reason" hint="the player reads it" maxLength={300} {...field('reason')} />
          <SelectField label="For" {...field('hours')}>
            {LENGTHS.filter(([hours]) => hours <= silence_hours_max).map(([hours, label]) => (
              <option key={hours} value={hours}>
                {label}
              </option>
            ))}
          </SelectField>
          <p className={looks.hint}>
            {author.name} can still read the forum, play and buy. The forum says until when they cannot write, and why.
          </p>
        </>
      )}
    </DeskForm>
  )
}
