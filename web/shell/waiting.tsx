import { Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import styles from './waiting.module.css'

const WaitingRows = lazyPart(async () => (await import('./waiting-rows.tsx')).WaitingRows)

type WaitingSectionProps = {
  className?: string | undefined
  /** Whether the last row shows the player's best rank. */
  hasRank?: boolean
}

/**
 * The section 'Waiting for you' of a player, on the home page and the account page. The HTML reserves its height, so
 * the page does not shift when the rows load.
 */
export function WaitingSection({ className, hasRank = false }: WaitingSectionProps) {
  const isPlayer = useSession() !== null
  return (
    <section className={className} data-for="player" aria-labelledby="waiting">
      <h2 className={styles.title} id="waiting">
        Waiting for you
      </h2>
      <ul className={styles.rows} data-rank={hasRank || undefined}>
        {isPlayer && (
          <Suspense>
            <WaitingRows hasRank={hasRank} />
          </Suspense>
        )}
      </ul>
    </section>
  )
}
