import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { deviceWords } from './device-words.ts'
import { eventWords, isAlarming } from './event-words.ts'
import { FewLines } from './few-lines.tsx'
import styles from './lines.module.css'
import { LoadFailed } from './load-failed.tsx'
import { historyQuery } from './queries.ts'

/** Logins and changes of the account, newest first. */
export function HistoryPanel({ userNum }: { userNum: number }) {
  const { data, isError, refetch, dataUpdatedAt } = useQuery(historyQuery(userNum))
  return (
    <Panel index={6} title="History">
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
            line={(event) => (
              <li key={event.id}>
                <strong className={isAlarming(event.kind) ? styles.alarming : undefined}>
                  {eventWords(event.kind)}
                  {event.note !== '' && `: ${event.note}`}
                </strong>
                <span>
                  {[event.device !== '' && deviceWords(event.device), event.address].filter(Boolean).join(', ')}
                </span>
                <span className={styles.when}>
                  <RelativeTime iso={event.created_at} renderedAt={dataUpdatedAt} />
                </span>
              </li>
            )}
          />
        )}
        {data?.length === 0 && <p className={styles.calm}>Nothing has happened yet.</p>}
      </div>
    </Panel>
  )
}
