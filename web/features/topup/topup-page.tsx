import { RedeemForm } from '#web/features/account/redeem-form.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Purse } from './purse.tsx'
import styles from './topup-page.module.css'

const STEPS = [
  { title: 'Get a code', line: 'From events, from the community’s streamers, or from the people who run this server.' },
  {
    title: 'Type it in',
    line: 'Letters turn into capitals by themselves. A referral code tells whose stream you came from.',
  },
  { title: 'Spend it', line: 'R-Coin is there at once, for everything in the shop that carries its mark.' },
]

/** The redeem-code page (SPEC §2.5), for everyone; redeeming itself asks for a login. */
export default function TopupPage() {
  return (
    <>
      <PageHead crumb="Top Up R-Coin" title="Top Up R-Coin" lines={['One code, one minute, R-Coin in your purse.']} />
      <div className={styles.parts}>
        <Panel index={1} title="Redeem a code">
          <div className={styles.padded}>
            <RedeemForm />
          </div>
        </Panel>
        <Purse />
      </div>
      <Panel index={2} title="How it works">
        <ol className={styles.steps}>
          {STEPS.map(({ title, line }, index) => (
            <li key={title}>
              <span className={styles.numeral} aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3 className={styles.title}>{title}</h3>
                <p className={styles.line}>{line}</p>
              </div>
            </li>
          ))}
        </ol>
      </Panel>
    </>
  )
}
