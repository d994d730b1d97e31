import { getUnreadLetters, UNREAD_COUNT_MAX } from '#contract/mailbox.ts'
import { useCall } from '#web/api/queries.ts'
import { Value } from '#web/ui/value.tsx'

const FRESH_MS = 60_000

/**
 * Shows the number of a player's unread letters. Renders nothing if there are none. Only logged-in players download this
 * file.
 */
export function LetterCount({ className }: { className: string | undefined }) {
  const { data } = useCall(getUnreadLetters, {}, { staleTime: FRESH_MS, refetchOnWindowFocus: true, retry: false })
  const unread = data?.unread ?? 0
  return unread === 0 ? null : (
    <span className={className}>
      <Value>{unread < UNREAD_COUNT_MAX ? unread : `${UNREAD_COUNT_MAX - 1}+`}</Value>
      <span className="visually-hidden"> unread letters</span>
    </span>
  )
}
