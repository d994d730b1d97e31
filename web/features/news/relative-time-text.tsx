import { manilaMoment, relativeTime } from './relative-time.ts'
import { useNow } from './use-now.ts'

type Props = { iso: string | null; renderedAt: number }

/** A relative date that follows the clock, with the exact Manila moment in its title. */
export function RelativeTime({ iso, renderedAt }: Props) {
  const text = relativeTime(iso, useNow(renderedAt))
  const moment = iso === null ? Number.NaN : Date.parse(iso)
  if (iso === null || Number.isNaN(moment)) return <span>{text}</span>
  return (
    <time dateTime={iso} title={manilaMoment(moment)}>
      {text}
    </time>
  )
}
