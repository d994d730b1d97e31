import { useEffect, useState } from 'react'
import { formatManilaMinute } from '#contract/manila.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { getSiteQuery } from '#web/shell/shell-data.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './purchases-closed.module.css'

const NOTICE_ID = 'purchases-closed'
/** The longest delay of a timer, in ms. */
const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * Returns the attributes of buying buttons while purchases are closed: disabled, with the reason in `PurchasesClosed`.
 * At an announced opening, the buttons work again without a reload.
 */
export function useClosedPurchaseProps(): { disabled: true; 'aria-describedby': string; title: string } | undefined {
  const closure = useClosure()
  return closure === null ? undefined : { disabled: true, 'aria-describedby': NOTICE_ID, title: closure.text }
}

/** Explains why purchases are closed, and when they open if the operators have announced it. */
export function PurchasesClosed() {
  const closure = useClosure()
  if (closure === null) return null
  return (
    <Panel>
      <p className={styles.notice} id={NOTICE_ID}>
        {closure.from !== '' && (
          <strong>Purchases open on {formatManilaMinute(new Date(closure.from))} (Manila). </strong>
        )}
        {closure.text}
      </p>
    </Panel>
  )
}

function useClosure() {
  const closure = usePageQuery(getSiteQuery()).data?.purchases_closed ?? null
  const opensAt = closure === null || closure.from === '' ? Number.POSITIVE_INFINITY : Date.parse(closure.from)
  const [now, setNow] = useState(useRenderedAt())
  useEffect(() => {
    setNow(Date.now())
    const waitMs = opensAt - Date.now()
    if (!(waitMs > 0 && waitMs < TIMER_MAX_MS)) return
    const timer = setTimeout(() => setNow(Date.now()), waitMs)
    return () => clearTimeout(timer)
  }, [opensAt])
  return now >= opensAt ? null : closure
}
