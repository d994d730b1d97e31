import { SHELL } from '#contract/messages.ts'
import { useSession } from '#web/api/session.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './purse.module.css'

/** Both balances, as they are now; a guest is shown the way in. Both are in the HTML and the session mark shows one. */
export function Purse() {
  const user = useSession()?.user
  return (
    <Panel title="Your balance" className={styles.purse}>
      <div className={styles.body} data-for="player">
        <dl aria-live="polite">
          <div className={styles.balance}>
            <CoinMark size={34} />
            <dt>{SHELL.rCoin}</dt>
            <dd>{user && formatMoney(user.UserPoint)}</dd>
          </div>
          <div className={styles.balance}>
            <MilleageMark size={34} />
            <dt>{SHELL.milleage}</dt>
            <dd>{user && formatMoney(user.UserPoint2)}</dd>
          </div>
        </dl>
        <ButtonLink to="/topuphistory" tone="quiet">
          Redeem History
        </ButtonLink>
      </div>
      <div className={styles.body} data-for="guest">
        <p className={styles.line}>A code is loaded into an account: log in first, then redeem it here.</p>
        <div className={styles.buttons}>
          <ButtonLink to="/login?next=%2Ftopup" tone="secondary">
            Login
          </ButtonLink>
          <ButtonLink to="/register" tone="secondary">
            Sign up
          </ButtonLink>
        </div>
      </div>
    </Panel>
  )
}
