import { NEWS } from '#contract/messages.ts'
import styles from './badge.module.css'

/** The yellow 'new' of the latest items (SPEC §2.8). */
export function NewBadge() {
  return <span className={styles.badge}>{NEWS.newBadge}</span>
}
