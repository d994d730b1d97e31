import { MINUTE_MS } from '#contract/durations.ts'
import { useServerTime } from '#web/shell/server-clock.ts'
import { useShellData } from '#web/shell/shell-data.ts'
import { Value } from '#web/ui/value.tsx'
import { formatManilaMoment, formatRelativeTime } from './relative-time.ts'

/**
 * Returns the server's time in ms, updated every minute, independent of the visitor's clock. On the server and during
 * hydration it is `renderedAt`, later never before the document's time.
 */
function useNow(renderedAt: number): number {
  const serverTime = useServerTime(MINUTE_MS)
  const documentTime = useShellData()?.renderedAt ?? 0
  return serverTime === null ? renderedAt : Math.max(serverTime, documentTime)
}

type RelativeTimeProps = { iso: string | null; renderedAt: number }

/** A relative time that updates, with the exact Manila time as its tooltip. */
export function RelativeTime({ iso, renderedAt }: RelativeTimeProps) {
  const text = formatRelativeTime(iso, useNow(renderedAt))
  const time = iso === null ? Number.NaN : Date.parse(iso)
  if (iso === null || Number.isNaN(time)) return <span>{text}</span>
  return (
    <Value dateTime={iso} title={formatManilaMoment(time)}>
      {text}
    </Value>
  )
}
