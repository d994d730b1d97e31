import { SHELL } from '#contract/messages.ts'
import { useSession } from '#web/api/session.ts'
import { LogoMark } from '#web/art/logo.tsx'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './id-card.module.css'
import { LogoutButton } from './logout-button.tsx'

/** Who plays, and what is in both purses. */
export function PlayerCard() {
  const user = useSession()?.user
  return (
    <>
      <div className={styles.head}>
        <p className={styles.welcome}>
          <span>Welcome</span>
          <strong className={styles.who}>{user?.UserID ?? '\u00a0'}</strong>
        </p>
        <LogoMark size={30} />
      </div>
      <div className={`${styles.body} ${styles.player}`}>
        <dl>
          <div className={styles.balance}>
            <CoinMark size={24} />
            <dt>{SHELL.rCoin}</dt>
            <dd>{user && formatMoney(user.UserPoint)}</dd>
          </div>
          <div className={styles.balance}>
            <MilleageMark size={24} />
            <dt>{SHELL.milleage}</dt>
            <dd>{user && formatMoney(user.UserPoint2)}</dd>
          </div>
        </dl>
        <ButtonLink to="/topup" tone="paper" size="lg" className={styles.submit}>
          Top Up R-Coin
        </ButtonLink>
        <div className={styles.links}>
          <Link to="/user">My Account</Link>
          <LogoutButton />
        </div>
      </div>
    </>
  )
}
