import type { ReactNode } from 'react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { decideApproval, getApprovals, runApproval, withdrawApproval } from '#contract/staff.ts'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText, useCurrencyText } from '#web/ui/currency-names.ts'
import { type Confirmation, DeskAction } from '../../kit/action.tsx'
import { showFailure, useAction } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, Money, PlayerLink, type States, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { SecretsDialog } from '../../kit/secrets-dialog.tsx'
import { Differences, formatAuditValue } from '../../kit/timeline.tsx'
import { useMe } from '../../me.ts'
import styles from './approvals.module.css'

type Request = RowOf<typeof getApprovals>

const STATES: States<Request['state']> = {
  waiting: ['Waiting', 'attention'],
  approved: ['Approved, not done yet', 'good'],
  done: ['Done', 'good'],
  rejected: ['Rejected', 'bad'],
  withdrawn: ['Withdrawn', 'off'],
  expired: ['Expired', 'off'],
}

/** Requests that need another operator's approval, and their results. */
export function Screen() {
  const renameCurrencies = useCurrencyText()
  // Stored here, because the request's row changes as soon as the call has run.
  const [runResult, setRunResult] = useState<RunResult | null>(null)
  const columns: Column<Request>[] = [
    { key: 'summary', title: 'Request', cell: (row) => <RequestContent request={row} onRun={setRunResult} /> },
    {
      key: 'amount',
      title: 'Amount',
      align: 'end',
      cell: (row) => (row.amount === null ? '—' : <Money amount={row.amount} />),
    },
    {
      key: 'by',
      title: 'Requested by',
      cell: (row) => (
        <>
          <PlayerLink userNum={row.requested_by_num} userId={row.requested_by} /> <When at={row.requested_at} />
        </>
      ),
    },
    { key: 'state', title: 'State', card: 'end', states: STATES },
  ]
  return (
    <>
      <ScreenHead
        title="Approvals"
        line="Large amounts, and giving sensitive permissions, need approval from a second person, if there is one. A request has no effect until its state is Done, and you can’t approve your own request."
      />
      <List
        endpoint={getApprovals}
        label="Approvals"
        columns={columns}
        filters={{
          state: {
            kind: 'choice',
            label: 'State',
            options: {
              waiting: 'Waiting',
              approved: 'Approved, not done yet',
              done: 'Done',
              rejected: 'Rejected',
              withdrawn: 'Withdrawn',
            },
          },
        }}
        getId={(row) => row.approval}
        empty={{
          title: 'Nothing is waiting',
          line: 'Requests of colleagues that need approval appear here.',
        }}
      />
      {runResult !== null && runResult.secrets.length > 0 && (
        <SecretsDialog
          title={renameCurrencies(runResult.request.summary)}
          secrets={runResult.secrets}
          fileName={`request-${runResult.request.approval}.txt`}
          onClose={() => setRunResult(null)}
        />
      )}
    </>
  )
}

/** Shows a request with its exact effect, and the buttons to withdraw, approve, reject or run it. */
function RequestContent({ request, onRun }: { request: Request; onRun: (runResult: RunResult) => void }) {
  const me = useMe()
  const isMine = request.requested_by_num === me.user_num
  const isWaiting = request.state === 'waiting'
  const details = Object.entries(request.input).map(([field, after]) => ({ field, after }))
  return (
    <div className={styles.content}>
      {request.shown ? (
        <>
          <p className={deskLayout.strong}>
            <CurrencyText>{request.summary}</CurrencyText>
          </p>
          <Effect effect={request.effect} />
          <details>
            <summary>All the details</summary>
            <Differences changes={details} />
          </details>
        </>
      ) : (
        <>
          <p className={deskLayout.strong}>{request.what}</p>
          <p className={deskLayout.faint}>
            You can see its content if you can approve this request, or have the permission to make this change.
          </p>
        </>
      )}
      {request.decided_by !== null && (
        <Facts
          facts={{
            'Decided by': (
              <>
                {request.decided_by} <When at={request.decided_at} />
              </>
            ),
            Note: request.note !== '' && `“${request.note}”`,
          }}
        />
      )}
      {isMine && request.state === 'approved' && <RunButton request={request} onRun={onRun} />}
      {isWaiting && (
        <div className={deskLayout.row}>
          {isMine ? (
            <DeskAction
              endpoint={withdrawApproval}
              input={{ approval: request.approval }}
              label="Withdraw"
              tone="secondary"
              confirmation={{ title: 'Withdraw your request?', text: <RequestSummary request={request} /> }}
              successMessage="Withdrawn."
            />
          ) : request.why_not === null ? (
            <>
              <DecideButton
                request={request}
                decision="approve"
                label="Approve"
                confirmation={{
                  title: 'Approve this?',
                  action: 'Approve and do it now',
                  text: (
                    <>
                      <RequestSummary request={request} />
                      <Effect effect={request.effect} />
                      <p>
                        The site checks all rules again and then does this at once, in the name of{' '}
                        {request.requested_by}.
                      </p>
                    </>
                  ),
                }}
              />
              <DecideButton
                request={request}
                decision="reject"
                label="Reject"
                confirmation={{
                  title: 'Reject this?',
                  tone: 'danger',
                  text: (
                    <>
                      <RequestSummary request={request} />
                      <p>Nothing will be done.</p>
                    </>
                  ),
                }}
              />
            </>
          ) : (
            <p className={deskLayout.faint}>{request.why_not}</p>
          )}
          <p className={deskLayout.faint}>
            {request.only_owner && 'Only an owner can approve this. '}Expires <When at={request.expires_at} />.
          </p>
        </div>
      )}
    </div>
  )
}

/** Returns the texts in all lists of an answer, such as the codes of a campaign. */
const listTexts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((entry) => (typeof entry === 'string' ? [entry] : listTexts(entry)))
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap((entry) => (typeof entry === 'object' ? listTexts(entry) : []))
      : []

/** Returns the secrets of an answer that are shown only once: the command that pairs a bridge, or codes. */
const findSecrets = (answer: unknown): string[] => {
  const { site, code } = (answer ?? {}) as { site?: unknown; code?: unknown }
  return typeof site === 'string' && typeof code === 'string'
    ? [`node bridge.mjs pair ${site} ${code} --config bridge.json`]
    : listTexts(answer)
}

type RunResult = { request: Request; secrets: string[] }

/**
 * Makes an approved call whose answer is secret. Only the requester can do so, and only the requester sees the secret.
 */
function RunButton({ request, onRun }: { request: Request; onRun: (runResult: RunResult) => void }) {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<CallError | null>(null)
  const { attempt, busy } = useAction(runApproval, {
    successMessage: 'Done.',
    onDone: ({ answer }) => onRun({ request, secrets: findSecrets(answer) }),
  })
  const run = async () => {
    try {
      await attempt({ approval: request.approval })
    } catch (error) {
      setFailure(error instanceof CallError ? error : null)
      showFailure(error, navigate)
    }
  }
  return (
    <>
      <div className={deskLayout.row}>
        <Button busy={busy} onClick={() => void run()}>
          Do it now
        </Button>
      </div>
      {failure !== null && explainChange(failure)}
    </>
  )
}

/** Shows both versions if the data changed after the request. */
function explainChange({ reason, body }: CallError) {
  if (reason !== 'effect-changed') return null
  const { asked: requestedEffect = {}, now: currentEffect = {} } = body as {
    asked?: Record<string, unknown>
    now?: Record<string, unknown>
  }
  return (
    <div className={styles.versions}>
      <section>
        <h3>Requested</h3>
        <Effect effect={requestedEffect} />
      </section>
      <section>
        <h3>Effect now</h3>
        {Object.keys(currentEffect).length === 0 ? <p>It would change nothing.</p> : <Effect effect={currentEffect} />}
      </section>
    </div>
  )
}

function RequestSummary({ request: { summary, requested_by } }: { request: Request }) {
  return (
    <p>
      <b>
        <CurrencyText>{summary}</CurrencyText>
      </b>
      , requested by {requested_by}.
    </p>
  )
}

type DecideButtonProps = { request: Request; decision: 'approve' | 'reject'; label: string; confirmation: Confirmation }

function DecideButton({ request: { approval, content_hash }, decision, label, confirmation }: DecideButtonProps) {
  return (
    <DeskAction
      endpoint={decideApproval}
      input={({ reason }) => ({ approval, decision, content_hash, note: reason })}
      label={label}
      tone={decision === 'approve' ? 'primary' : 'secondary'}
      confirmation={{
        ...confirmation,
        reason: 'optional',
        reasonHint: 'the requester can read it',
        explain: explainChange,
      }}
    />
  )
}

type EffectFields = Record<string, unknown>

const isEffect = (value: unknown): value is EffectFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Shows the effect of a call as the server resolved it: fields by label, accounts as links. */
function Effect({ effect }: { effect: EffectFields }) {
  const { account, user_id, ...fields } = effect
  return (
    <dl className={styles.effect}>
      {typeof account === 'number' && (
        <div>
          <dt>Account</dt>
          <dd>
            <PlayerLink userNum={account} userId={typeof user_id === 'string' ? user_id : `No. ${account}`} />
          </dd>
        </div>
      )}
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{renderValue(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function renderValue(value: unknown): ReactNode {
  if (isEffect(value)) return <Effect effect={value} />
  if (!Array.isArray(value) || value.length === 0) return formatAuditValue(value)
  return (
    <ul>
      {value.map((entry: unknown) => (
        <li key={JSON.stringify(entry)}>{isEffect(entry) ? <Effect effect={entry} /> : formatAuditValue(entry)}</li>
      ))}
    </ul>
  )
}
