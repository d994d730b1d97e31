import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './newcomer-note.module.css'

/** Beside the card: what somebody without an account, or without its password, does next. */
export function NewcomerNote() {
  return (
    <Panel className={styles.panel}>
      <div className={styles.half}>
        <h2>New on this campus?</h2>
        <p>One account opens all three schools, the item shop and the rankings. It takes a minute and costs nothing.</p>
        <ButtonLink to="/register">Open an account</ButtonLink>
      </div>
      <div className={styles.half}>
        <h2>Cannot get in?</h2>
        <p>Your user ID comes by mail, and so does a link to a new password. We never ask for a password in a chat.</p>
        <ButtonLink to="/findaccount" tone="secondary">
          Find my account
        </ButtonLink>
      </div>
    </Panel>
  )
}
