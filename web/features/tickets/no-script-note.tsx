import styles from './no-script-note.module.css'

/** Told where scripts are off, before somebody writes for nothing. */
export function NoScriptNote() {
  return (
    <p className={styles.noScript}>
      Sending needs JavaScript, which is off in this browser. Turn it on and what you type here can be sent.
    </p>
  )
}
