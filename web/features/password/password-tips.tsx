import styles from './password-tips.module.css'

/** Beside a new password: what makes a good one, in a player's words. */
export function PasswordTips() {
  return (
    <aside className={styles.tips} aria-label="What makes a good password">
      <h3>What makes a good one</h3>
      <ul>
        <li>Three words that do not belong together, with a digit between them.</li>
        <li>Nothing you use elsewhere: not your mail’s, not another game’s.</li>
        <li>A password manager can make one up and keep it. Pasting works here.</li>
      </ul>
    </aside>
  )
}
