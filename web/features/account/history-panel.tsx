import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { deviceWords } from './device-words.ts'
import { eventWords, isAlarming } from './event-words.ts'
import styles from './lines.module.css'
import { LoadFailed } from './load-failed.tsx'
import { historyQuery } from './queries.ts'

/** Shown at first; the rest on request. */
const FEW = 6

/** Logins and changes of the account, newest first. */
export function HistoryPanel({ userNum }: { userNum: number }) {
  const { data, isError, refetch, dataUpdatedAt } = useQuery(historyQuery(userNum))
  const [all, setAll] = useState(false)
  const shown = all ? data : data?.slice(0, FEW)
  return (
    <Panel index={6} title="History">
      <div className={styles.body}>
        {shown === undefined ? (
          isError ? (
            <LoadFailed onRetry={() => void refetch()} />
          ) : (
            <Skeleton width="100%" height={60} />
          )
        ) : (
          <ul className={styles.lines}>
            {shown.map((event) => (
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
            ))}
          </ul>
        )}
        {data?.length === 0 && <p className={styles.calm}>Nothing has happened yet.</p>}
        {data !== undefined && data.length > FEW && (
          <div className={styles.foot}>
            <Button tone="secondary" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Show less' : `Show all ${data.length}`}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}
