import { LOGIN } from '#contract/messages.ts'
import { useSession } from '#web/api/session.ts'
import { Link } from '#web/ui/link.tsx'
import styles from './header.module.css'
import { LogoutButton } from './logout-button.tsx'

/** The right end of the header's strip: how to get in, or who is in. Both are in the HTML; the session mark shows one. */
export function AccountStrip() {
  const session = useSession()
  return (
    <div className={styles.account}>
      <span className={styles.state} data-for="guest">
        <Link to="/login" className={styles.login}>
          Login
        </Link>
        <Link to="/register">{LOGIN.signUp}</Link>
      </span>
      <span className={styles.state} data-for="player">
        <span className={styles.who}>{session?.user.UserID}</span>
        <Link to="/user">My Account</Link>
        <LogoutButton />
      </span>
    </div>
  )
}
