import { formatMoney } from '#contract/numbers.ts'
import { useSession } from '#web/api/session.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { useCurrencyNames, useCurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { Value } from '#web/ui/value.tsx'
import { RedeemForm } from './redeem-form.tsx'
import styles from './topup-page.module.css'

const STEPS = [
  { title: 'Get a code', line: 'From events, from the community’s streamers, or from the people who run this server.' },
  {
    title: 'Type it in',
    line: 'Letters turn into capitals by themselves. A referral code tells us whose stream you came from.',
  },
  { title: 'Spend it', line: 'R-Coin arrives at once and buys everything in the shop that carries its mark.' },
]

/** The page to redeem codes (REDEEM-1, REDEEM-3), for everyone; redeeming requires a login. */
export default function TopupPage() {
  const nameCurrencies = useCurrencyText()
  return (
    <>
      <PageHead
        crumb={nameCurrencies('Top Up R-Coin')}
        title={nameCurrencies('Top Up R-Coin')}
        lines={[nameCurrencies('One code, one minute, R-Coin in your purse.')]}
      />
      <div className={`${layout.panels} ${styles.parts}`}>
        <Panel index={1} title="Redeem a code">
          <div className={layout.padded}>
            <RedeemForm />
          </div>
        </Panel>
        <Balances />
      </div>
      <Panel index={2} title="How it works">
        <ol className={`${layout.padded} ${styles.steps}`}>
          {STEPS.map(({ title, line }, index) => (
            <li key={title}>
              <span className={styles.numeral} aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3 className={styles.title}>{title}</h3>
                <p className={styles.line}>{nameCurrencies(line)}</p>
              </div>
            </li>
          ))}
        </ol>
      </Panel>
    </>
  )
}

/**
 * Both balances, or links to log in for a guest. The HTML contains balances and links; CSS shows one of them by the login
 * state at the document's root.
 */
function Balances() {
  const names = useCurrencyNames()
  const user = useSession()?.user
  return (
    <Panel title="Your balance" className={styles.balances}>
      <div className={`${layout.padded} ${layout.stack} ${styles.body}`} data-for="player">
        <dl aria-live="polite">
          <div className={styles.balance}>
            <CoinMark size={34} />
            <dt>{names.rCoin}</dt>
            <dd>{user && <Value>{formatMoney(user.UserPoint)}</Value>}</dd>
          </div>
          <div className={styles.balance}>
            <MilleageMark size={34} />
            <dt>{names.milleage}</dt>
            <dd>{user && <Value>{formatMoney(user.UserPoint2)}</Value>}</dd>
          </div>
        </dl>
        <ButtonLink to="/topuphistory" tone="quiet">
          Redeem History
        </ButtonLink>
      </div>
      <div className={`${layout.padded} ${layout.stack} ${styles.body}`} data-for="guest">
        <p className={styles.loginNote}>A code is loaded into an account, so log in first and then redeem it here.</p>
        <div className={layout.buttons}>
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
