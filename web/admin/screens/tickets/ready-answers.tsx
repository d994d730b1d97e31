import { useState } from 'react'
import {
  ANSWER_VARIABLES,
  deleteReadyAnswer,
  getReadyAnswers,
  readyAnswerFields,
  saveReadyAnswer,
} from '#contract/desk-tickets.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './tickets.module.css'

type Answer = CallOutput<typeof getReadyAnswers>['rows'][number]

/** Edits the ready-made answers, which all operators who answer tickets share. */
export function Screen() {
  const answers = useCall(getReadyAnswers, {})
  const [openAnswer, setOpenAnswer] = useState<number | 'new' | null>(null)
  const close = () => setOpenAnswer(null)
  return (
    <RecordPage
      back={{ to: '/admin/tickets', label: 'Tickets' }}
      title="Ready-made answers"
      actions={openAnswer !== 'new' && <Button onClick={() => setOpenAnswer('new')}>Write one</Button>}
    >
      {openAnswer === 'new' && <AnswerEditor answer={null} onClose={close} />}
      <Loaded result={answers} height={320}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Panel>
              <EmptyState title="No answers yet" line="Write an answer one time, and use it in every ticket." />
            </Panel>
          ) : (
            rows.map((answer) =>
              openAnswer === answer.answer ? (
                <AnswerEditor key={answer.answer} answer={answer} onClose={close} />
              ) : (
                <Panel
                  key={answer.answer}
                  title={answer.title}
                  actions={
                    <span className={deskLayout.badges}>
                      <button
                        type="button"
                        className={deskLayout.textButton}
                        onClick={() => setOpenAnswer(answer.answer)}
                      >
                        Change<span className="visually-hidden"> {answer.title}</span>
                      </button>
                      <DeskAction
                        endpoint={deleteReadyAnswer}
                        input={{ answer: answer.answer }}
                        label="Delete"
                        about={answer.title}
                        className={deskLayout.textButton}
                        confirmation={{
                          title: `Delete “${answer.title}”?`,
                          action: 'Delete it',
                          tone: 'danger',
                          text: 'Answers that were sent with it stay as they are.',
                        }}
                        successMessage="The answer has been deleted."
                      />
                    </span>
                  }
                >
                  <div className={deskLayout.body}>
                    <p className={deskLayout.withBreaks}>{answer.body}</p>
                  </div>
                </Panel>
              ),
            )
          )
        }
      </Loaded>
    </RecordPage>
  )
}

function AnswerEditor({ answer, onClose }: { answer: Answer | null; onClose: () => void }) {
  const fetchLatest = async () => {
    const { rows } = await deskCall(getReadyAnswers, {})
    return rows.find((row) => row.answer === answer?.answer) ?? {}
  }
  return (
    <DeskForm
      endpoint={saveReadyAnswer}
      fields={readyAnswerFields}
      values={answer ?? { answer: null }}
      fetchLatest={fetchLatest}
      successMessage="The answer is saved."
      onDone={onClose}
      onCancel={onClose}
      show={[
        'title',
        'body',
        <dl key="variables" className={styles.variables}>
          {Object.entries(ANSWER_VARIABLES).map(([name, what]) => (
            <div key={name}>
              <dt>{`{${name}}`}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>,
      ]}
    />
  )
}
