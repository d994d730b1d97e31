import styles from './windows-note.module.css'

/** Said to everybody, and louder to those who hold a phone. */
export function WindowsNote() {
  return (
    <p className={styles.note}>
      <strong>The client is for Windows.</strong>{' '}
      <span className={styles.touch}>
        It will not run on this phone or tablet: open this page on the PC you play on. Your account, the shop and the
        rankings work right here.
      </span>
    </p>
  )
}
