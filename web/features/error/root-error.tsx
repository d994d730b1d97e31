import { ERROR_PAGE } from '#contract/messages.ts'
import styles from './root-error.module.css'
import { WaysOut } from './ways-out.tsx'

/**
 * The last resort, when the shell itself cannot be shown: the same words and ways out with
 * nothing around them, so that it depends on little that may have failed.
 */
export function RootError() {
  return (
    <main className={styles.page}>
      <img className={styles.picture} src="/art/error-sign.svg" alt="" width="480" height="260" />
      <h1 className={styles.title}>{ERROR_PAGE.title}</h1>
      <p className={styles.text}>{ERROR_PAGE.text}</p>
      <WaysOut />
    </main>
  )
}
