import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ACCOUNT } from '#contract/account-messages.ts'
import { whitelistUserIp } from '#contract/whitelist.ts'
import { call, dialogText, isExpired } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { CallDialog, type CallState, errorState } from './call-dialog.tsx'
import styles from './facts.module.css'
import { LoadFailed } from './load-failed.tsx'
import { connectionQuery, historyQuery } from './queries.ts'

/** Connection Information: the caller's address, and the whitelist button while CC_status is 0 (SPEC §2.5). */
export function ConnectionPanel({ userNum }: { userNum: number }) {
  const { data, isError, refetch } = useQuery(connectionQuery(userNum))
  const queries = useQueryClient()
  const [state, setState] = useState<CallState | null>(null)

  const whitelist = async () => {
    setState({ phase: 'running', title: ACCOUNT.processing, text: ACCOUNT.pleaseWait })
    try {
      const { message } = await call(whitelistUserIp, {}, { shellShows: 'ended-session' })
      setState({ phase: 'done', title: 'Whitelisted', text: message })
      await queries.invalidateQueries({ queryKey: connectionQuery(userNum).queryKey })
      await queries.invalidateQueries({ queryKey: historyQuery(userNum).queryKey })
    } catch (error) {
      setState(isExpired(error) ? null : errorState(dialogText(error)))
    }
  }

  return (
    <Panel index={2} title="Connection Information">
      <div className={styles.body}>
        {isError ? (
          <LoadFailed onRetry={() => void refetch()} />
        ) : (
          <dl className={styles.facts}>
            <div>
              <dt>Connection IP</dt>
              <dd className={styles.address}>{data?.CC_IP ?? <Skeleton width={140} height={28} />}</dd>
            </div>
            <div>
              <dt>Status</dt>
              <dd>
                {data === undefined ? <Skeleton width={140} height={24} /> : <Standing status={data.CC_status} />}
              </dd>
            </div>
          </dl>
        )}
        {data?.CC_status === 0 && (
          <div className={styles.next}>
            <p>The game lets you in from whitelisted addresses. An account keeps its five newest.</p>
            <Button onClick={() => void whitelist()}>Whitelist this IP</Button>
          </div>
        )}
      </div>
      <CallDialog state={state} onClose={() => setState(null)} />
    </Panel>
  )
}

function Standing({ status }: { status: 0 | 1 }) {
  return status === 1 ? (
    <span className={styles.good}>Whitelisted</span>
  ) : (
    <span className={styles.open}>Not whitelisted</span>
  )
}
