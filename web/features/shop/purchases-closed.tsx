import { useEffect, useState } from 'react'
import { formatManilaMinute } from '#contract/manila.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { siteQuery } from '#web/shell/shell-data.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './purchases-closed.module.css'

const NOTICE_ID = 'purchases-closed'
/** The longest delay of a timer, in ms. */
const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * Returns the attributes of buying buttons while purchases are closed: disabled, with the reason in `PurchasesClosed`.
 * At an announced opening, the buttons work again without a reload.
 */
export function usePurchasesClosed(): { disabled: true; 'aria-describedby': string; title: string } | undefined {
  const closed = useClosed()
  return closed === null ? undefined : { disabled: true, 'aria-describedby': NOTICE_ID, title: closed.text }
}

/** Explains why purchases are closed, and when they open if the operators have announced it. */
export function PurchasesClosed() {
  const closed = useClosed()
  if (closed === null) return null
  return (
    <Panel>
      <p className={styles.notice} id={NOTICE_ID}>
        {closed.from !== '' && (
          <strong>Purchases open on {formatManilaMinute(new Date(closed.from))} (Manila). </strong>
        )}
        {closed.text}
      </p>
    </Panel>
  )
}

function useClosed() {
  const closed = useLoaded(siteQuery()).data?.purchases_closed ?? null
  const from = closed === null || closed.from === '' ? Number.POSITIVE_INFINITY : Date.parse(closed.from)
  const [now, setNow] = useState(useRenderedAt())
  useEffect(() => {
    setNow(Date.now())
    const wait = from - Date.now()
    if (!(wait > 0 && wait < TIMER_MAX_MS)) return
    const timer = setTimeout(() => setNow(Date.now()), wait)
    return () => clearTimeout(timer)
  }, [from])
  return now >= from ? null : closed
}
