import { LOGIN } from '#contract/messages.ts'
import { useSession } from '#web/api/session.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './drawer.module.css'

/** The paper at the top of the drawer: the way in, or who is in with both balances. */
export function DrawerAccount() {
  const session = useSession()
  return (
    <div className={styles.account} data-surface="paper">
      <div className={styles.guest} data-for="guest">
        <ButtonLink to="/login" tone="paper">
          Login
        </ButtonLink>
        <ButtonLink to="/register" tone="secondary">
          {LOGIN.signUp}
        </ButtonLink>
      </div>
      <div data-for="player">
        {session !== null && (
          <Link to="/user" className={styles.player}>
            <span className={styles.who}>{session.user.UserID}</span>
            <span className={styles.balances}>
              <CoinMark size={18} /> {formatMoney(session.user.UserPoint)}
              <MilleageMark size={18} /> {formatMoney(session.user.UserPoint2)}
            </span>
          </Link>
        )}
      </div>
    </div>
  )
}
