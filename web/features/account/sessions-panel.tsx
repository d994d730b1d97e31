import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endOtherSessions } from '#contract/accounts.ts'
import { alertText, call, isExpired } from '#web/api/call.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import { deviceWords } from './device-words.ts'
import { FewLines } from './few-lines.tsx'
import styles from './lines.module.css'
import { LoadFailed } from './load-failed.tsx'
import { historyQuery, sessionsQuery } from './queries.ts'

/** Where the account is logged in, and the way to end every other place. */
export function SessionsPanel({ userNum }: { userNum: number }) {
  const { data, isError, refetch, dataUpdatedAt } = useQuery(sessionsQuery(userNum))
  const queries = useQueryClient()
  const endOthers = useMutation({
    mutationFn: () => call(endOtherSessions, {}, { shellShows: 'ended-session' }),
    onSuccess: async ({ message }) => {
      void showToast('done', message)
      await queries.invalidateQueries({ queryKey: sessionsQuery(userNum).queryKey })
      await queries.invalidateQueries({ queryKey: historyQuery(userNum).queryKey })
    },
    onError: (error) => {
      if (!isExpired(error)) void showToast('error', alertText(error))
    },
  })
  return (
    <Panel index={5} title="Where you are logged in">
      <div className={styles.body}>
        {data === undefined ? (
          isError ? (
            <LoadFailed onRetry={() => void refetch()} />
          ) : (
            <Skeleton width="100%" height={60} />
          )
        ) : (
          <FewLines
            items={data}
            line={(session) => (
              <li key={session.id}>
                <strong>
                  {deviceWords(session.device)}
                  {session.current && <span className={styles.plate}>This device</span>}
                </strong>
                <span>{session.address}</span>
                <span className={styles.when}>
                  {session.current ? 'now' : <RelativeTime iso={session.last_seen_at} renderedAt={dataUpdatedAt} />}
                </span>
              </li>
            )}
          />
        )}
        {data !== undefined && data.length > 1 && (
          <div className={styles.foot}>
            <Button tone="secondary" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
              Log out the others
            </Button>
          </div>
        )}
        {data?.length === 1 && <p className={styles.calm}>Nobody is logged in anywhere else.</p>}
      </div>
    </Panel>
  )
}
