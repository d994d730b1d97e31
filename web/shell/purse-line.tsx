import { Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import styles from './purse-line.module.css'

const Purse = lazyPart(async () => (await import('./purse.tsx')).Purse)

/** Under the header of a player's phone: both balances and the cart (SHELL-13). Its height is in the document. */
export function PurseLine() {
  const isPlayersPhone = useSession() !== null && matchMedia('(max-width: 639px)').matches
  return (
    <section className={styles.line} data-for="player" aria-label="Your balance">
      {isPlayersPhone && (
        <Suspense>
          <Purse />
        </Suspense>
      )}
    </section>
  )
}
