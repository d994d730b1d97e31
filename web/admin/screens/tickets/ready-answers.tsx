import { useState } from 'react'
import { ANSWER_VARIABLES, deleteReadyAnswer, getReadyAnswers, saveReadyAnswer } from '#contract/desk-tickets.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import { useCall } from '#web/api/queries.ts'
import { TextArea } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { deskCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import looks from '../../kit/looks.module.css'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './tickets.module.css'

type Answer = CallOutput<typeof getReadyAnswers>['rows'][number]

/** The ready-made answers, for everybody who answers tickets. */
export function Screen() {
  const answers = useCall(getReadyAnswers, {})
  const [open, setOpen] = useState<number | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Answer | null>(null)
  const close = () => setOpen(null)
  return (
    <RecordPage
      back={{ to: '/admin/tickets', label: 'Tickets' }}
      title="Ready-made answers"
      actions={open !== 'new' && <Button onClick={() => setOpen('new')}>Write one</Button>}
    >
      {open === 'new' && <AnswerEditor answer={null} onClose={close} />}
      <Loaded of={answers} height={320}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title="None yet" line="Write an answer once, and use it in every ticket." />
          ) : (
            rows.map((answer) =>
              open === answer.answer ? (
                <AnswerEditor key={answer.answer} answer={answer} onClose={close} />
              ) : (
                <Panel
                  key={answer.answer}
                  title={answer.title}
                  actions={
                    <span className={looks.badges}>
                      <button type="button" className={looks.wordButton} onClick={() => setOpen(answer.answer)}>
                        Change<span className="visually-hidden"> {answer.title}</span>
                      </button>
                      <button type="button" className={looks.wordButton} onClick={() => setDeleting(answer)}>
                        Delete<span className="visually-hidden"> {answer.title}</span>
                      </button>
                    </span>
                  }
                >
                  <div className={looks.body}>
                    <p className={looks.withBreaks}>{answer.body}</p>
                  </div>
                </Panel>
              ),
            )
          )
        }
      </Loaded>
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={`Delete “${deleting?.title ?? ''}”?`}
        action="Delete it"
        tone="danger"
        endpoint={deleteReadyAnswer}
        input={() => ({ answer: deleting?.answer ?? 0 })}
        done="The answer has been deleted."
      >
        <p>Answers that were sent with it stay as they are.</p>
      </ConfirmDialog>
    </RecordPage>
  )
}

function AnswerEditor({ answer, onClose }: { answer: Answer | null; onClose: () => void }) {
  const readLatest = async () => {
    const { rows } = await deskCall(getReadyAnswers, {})
    const now = rows.find((row) => row.answer === answer?.answer)
    return { version: now?.version ?? 1, values: { title: now?.title ?? '', body: now?.body ?? '' } }
  }
  return (
    <DeskForm
      endpoint={saveReadyAnswer}
      values={{ answer: answer?.answer ?? null, title: answer?.title ?? '', body: answer?.body ?? '' }}
      version={answer?.version ?? null}
      input={(values, version) => ({ ...values, ...(version !== null && { version }) })}
      latest={readLatest}
      labels={{ title: 'Title', body: 'Text' }}
      done="The answer is saved."
      onDone={onClose}
      onCancel={onClose}
    >
      {({ field, watch }) => (
        <>
          <TextField label="Title" hint="for staff" maxLength={60} {...field('title')} />
          <TextArea label="Text" typed={(watch('body') ?? '').length} limit={TICKET_MESSAGE_MAX} {...field('body')} />
          <dl className={styles.variables}>
            {Object.entries(ANSWER_VARIABLES).map(([name, what]) => (
              <div key={name}>
                <dt>{`{${name}}`}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </DeskForm>
  )
}
