import { useServerTime } from '#web/shell/server-clock.ts'
import { useShellData } from '#web/shell/shell-data.ts'

const MINUTE_MS = 60_000

/**
 * The server's time in ms, by the minute, whatever the visitor's clock says. Until it is
 * known, and on the server, it is `renderedAt`, so that the first texts agree; it never
 * falls back behind the moment the document was rendered.
 */
export function useNow(renderedAt: number): number {
  const serverTime = useServerTime(MINUTE_MS)
  const documentTime = useShellData()?.renderedAt ?? 0
  return serverTime === null ? renderedAt : Math.max(serverTime, documentTime)
}
