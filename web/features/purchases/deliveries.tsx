import styles from './deliveries.module.css'
import { deliveryWords } from './delivery-words.ts'
import type { Purchase } from './queries.ts'

/** How far what was bought has come: an open square waits in the item bank, a full one is in the game. */
export function Deliveries({ deliveries }: Pick<Purchase, 'deliveries'>) {
  return deliveryWords(deliveries).map(({ state, text }) => (
    <span key={state} className={styles[state]}>
      {text}
    </span>
  ))
}
