import { Link } from '#web/ui/link.tsx'
import styles from './terms.module.css'

const TERMS = [
  'One person, one account. It is yours alone: do not sell, lend or share it.',
  'Play fair. Cheats, bots and the use of errors in the game end the account.',
  'R-Coin and Milleage are worth something in the game only. They cannot be turned back into money.',
  'Be kind in chat, names and clubs. Nobody here has to bear insults.',
  'We keep what you type here to run your account, and give it to nobody. Write to support to have it deleted.',
] as const

/** The terms of use, to be read before they are accepted. */
export function Terms() {
  return (
    <details className={styles.terms}>
      <summary>Read the terms of use</summary>
      <ol>
        {TERMS.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ol>
      <p>
        In full: <Link to="/operationpolicy">Operation Policy</Link>, <Link to="/privacypolicy">Privacy Policy</Link>,{' '}
        <Link to="/gamecashagreement">Game Cash Agreement</Link>.
      </p>
    </details>
  )
}
