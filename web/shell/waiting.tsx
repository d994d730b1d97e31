import { Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import styles from './waiting.module.css'

const WaitingRows = lazyPart(async () => (await import('./waiting-rows.tsx')).WaitingRows)

/** What waits for a player, for the home page and the account page. Its height is in the document, so nothing moves. */
export function Waiting({ className = '' }: { className?: string | undefined }) {
  const isPlayer = useSession() !== null
  return (
    <section className={`${styles.waiting} ${className}`} data-for="player" aria-labelledby="waiting">
      <h2 className={styles.title} id="waiting">
        Waiting for you
      </h2>
      <ul className={styles.rows}>
        {isPlayer && (
          <Suspense>
            <WaitingRows />
          </Suspense>
        )}
      </ul>
    </section>
  )
}
