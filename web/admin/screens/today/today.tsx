import { useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { clockParts } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { getToday } from '#contract/today.ts'
import { useCall } from '#web/api/queries.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { Money, When } from '../../kit/facts.tsx'
import { DeskIcon } from '../../kit/icons.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SmallChart } from '../../kit/small-chart.tsx'
import { FirstSteps } from './first-steps.tsx'
import styles from './today.module.css'

type Today = CallOutput<typeof getToday>
type Need = Today['needs'][number]

/** The desk's first screen: what needs attention now, then the last 30 days. */
export function Screen() {
  const today = useCall(getToday, {}, { refetchOnWindowFocus: true })
  return (
    <>
      <ScreenHead title="Today" line={`${clockParts(Date.now()).date} in Manila`} />
      <Loaded of={today} height={720}>
        {(value) => (
          <div className={styles.parts}>
            {value.first_steps !== null && <FirstSteps steps={value.first_steps} />}
            <Needs needs={value.needs} />
            <Month today={value} />
          </div>
        )}
      </Loaded>
    </>
  )
}

/** The singular and plural name of each kind of waiting work, and the list that shows it. */
const NEEDS: Record<Need['kind'], { one: string; many: string; to: string; waited: string }> = {
  problem: { one: 'problem', many: 'problems', to: '/admin/health', waited: 'since' },
  backup: {
    one: 'backup is missing',
    many: 'backups are missing',
    to: '/admin/health',
    waited: 'since',
  },
  approvals: {
    one: 'request is waiting for your approval',
    many: 'requests are waiting for your approval',
    to: '/admin/approvals?state=waiting',
    waited: 'the oldest is from',
  },
  tickets: {
    one: 'ticket is waiting for an answer',
    many: 'tickets are waiting for an answer',
    to: '/admin/tickets?state=open',
    waited: 'the oldest is from',
  },
  reports: {
    one: 'reported post is waiting',
    many: 'reported posts are waiting',
    to: '/admin/forum?state=open&kind=report',
    waited: 'the oldest is from',
  },
  held: {
    one: 'held post is waiting for review',
    many: 'held posts are waiting for review',
    to: '/admin/forum?state=open&kind=held',
    waited: 'the oldest is from',
  },
  deliveries: {
    one: 'item could not be delivered',
    many: 'items could not be delivered',
    to: '/admin/orders?stage=failed',
    waited: 'the first failed',
  },
  refunds: {
    one: 'refund is waiting for the game',
    many: 'refunds are waiting for the game',
    to: '/admin/orders?stage=refund_requested',
    waited: 'the oldest is from',
  },
  renamed: {
    one: 'game account has a new ID; decide whose it is',
    many: 'game accounts have new IDs; decide whose they are',
    to: '/admin/account-import',
    waited: 'the first since',
  },
  closed: {
    one: 'Purchases are closed',
    many: 'Purchases are closed',
    to: '/admin/settings',
    waited: 'closed',
  },
  mails: {
    one: 'email could not be sent',
    many: 'emails could not be sent',
    to: '/admin/mail?state=given-up',
    waited: 'the first',
  },
  cheap: {
    one: 'item was sold below half of its usual price',
    many: 'items were sold below half of their usual price',
    to: '/admin/items',
    waited: 'since',
  },
}

function Needs({ needs }: { needs: Need[] }) {
  if (needs.length === 0)
    return (
      <section className={styles.calm} aria-label="What needs you now">
        <DeskIcon name="approvals" size={30} weight={3} />
        <div>
          <h2>Nothing needs you right now</h2>
          <p>New tickets, failed deliveries and requests show up here.</p>
        </div>
      </section>
    )
  return (
    <section aria-labelledby="needs">
      <h2 id="needs" className={styles.heading}>
        Needs you now
      </h2>
      <ul className={styles.needs}>
        {needs.map((need) => (
          <NeedRow key={need.kind + need.detail} need={need} />
        ))}
      </ul>
    </section>
  )
}

function NeedRow({ need: { kind, count, more, since, detail } }: { need: Need }) {
  const { one, many, to, waited } = NEEDS[kind]
  const isTrouble = kind === 'problem' || kind === 'backup'
  return (
    <li data-tone={isTrouble ? 'bad' : undefined}>
      <Link to={to} className={styles.need}>
        <b>{isTrouble ? <DeskIcon name="warn" size={26} /> : `${count}${more ? '+' : ''}`}</b>
        <span className={styles.words}>
          <span className={styles.what}>
            {isTrouble ? detail : count === 1 ? one : many}
            {kind === 'cheap' && `: ${detail}`}
          </span>
          <span className={styles.since}>
            {kind === 'closed' && since === null ? (
              'A new shop begins closed, so that nobody pays before it is ready. Open it in the settings.'
            ) : (
              <>
                {waited} <When at={since} />
              </>
            )}
          </span>
        </span>
        <DeskIcon name="on" size={18} />
      </Link>
    </li>
  )
}

const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const nameOf = (day: string) => dayName.format(new Date(day))
const last = (values: readonly number[]) => values.at(-1) ?? 0

/** The 30 days in small charts. Every number leads to its list. */
function Month({ today: { days, counted_at, players, money, codes } }: { today: Today }) {
  const [query] = useSearchParams()
  const currency = query.get('money') === 'milleage' ? 'milleage' : 'r_coin'
  const points = (values: readonly number[]) =>
    days.map((day, nth) => ({ label: nameOf(day), value: values[nth] ?? 0 }))
  const between = `from=${days[0]}&until=${days.at(-1)}`
  if (players === null && money === null && codes === null) return null
  return (
    <section aria-labelledby="month" className={styles.month}>
      <div className={styles.monthHead}>
        <h2 id="month" className={styles.heading}>
          The last 30 days
        </h2>
        <p>
          {counted_at === null ? (
            'Today has not been counted yet'
          ) : (
            <>
              Counted <When at={counted_at} />
            </>
          )}
          ; the yellow bar is today.
        </p>
      </div>
      {players !== null && (
        <Panel title="Players">
          <div className={styles.charts}>
            <SmallChart
              title="Registrations"
              points={points(players.registrations)}
              to="/admin/players?sort=-user_num"
            />
            <SmallChart title="Logins" points={points(players.logins)} to="/admin/players?state=logged-in" />
            <SmallChart
              title="Active today"
              points={points(players.active)}
              total={formatCount(last(players.active))}
              to="/admin/players?state=logged-in"
            />
          </div>
          <p className={styles.note}>Active players logged in, bought something or redeemed a code that day.</p>
        </Panel>
      )}
      {money !== null && (
        <Panel title="Money">
          <div className={styles.tabs}>
            <TabLinks
              label="Currency"
              tabs={[
                { key: 'r_coin', label: 'R-Coin', to: '?' },
                { key: 'milleage', label: 'Milleage', to: '?money=milleage' },
              ]}
              current={currency}
            />
          </div>
          <div className={styles.charts}>
            <SmallChart title="Issued" points={points(money[currency].issued)} to="/admin/vouchers" />
            <SmallChart title="Spent" points={points(money[currency].spent)} to={`/admin/orders?${between}`} />
            <SmallChart title="Refunded" points={points(money[currency].refunded)} to="/admin/orders?stage=refunded" />
            <SmallChart
              title="Outstanding"
              points={points(money[currency].outstanding)}
              total={formatCount(last(money[currency].outstanding))}
              to={`/admin/players?state=${currency === 'r_coin' ? 'most-r-coin' : 'most-milleage'}`}
            />
          </div>
          <p className={styles.note}>Outstanding is what all players together can still spend.</p>
        </Panel>
      )}
      <div className={styles.pair}>
        {money !== null && <BestSellers items={money.best_sellers} between={between} />}
        {codes !== null && <Streamers codes={codes} />}
      </div>
    </section>
  )
}

type Items = NonNullable<Today['money']>['best_sellers']

function BestSellers({ items, between }: { items: Items; between: string }) {
  const most = Math.max(1, ...items.map(({ units }) => units))
  return (
    <Panel title="Best sellers">
      {items.length === 0 ? (
        <p className={styles.note}>Nothing was sold in this period.</p>
      ) : (
        <ol className={styles.bars} aria-label="Best sellers">
          {items.map(({ product_num, item_name, units, r_coin, milleage }) => (
            <li key={product_num}>
              <Link to={`/admin/orders?${between}#item=${product_num}`}>{item_name}</Link>
              <span>
                {formatCount(units)} {units === 1 ? 'unit' : 'units'} ·{' '}
                <Money amount={r_coin > 0 ? r_coin : milleage} currency={r_coin > 0 ? 'rCoin' : 'milleage'} />
              </span>
              <meter min={0} max={most} value={units} aria-label={`${item_name}: ${units} units`} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Streamers({ codes }: { codes: NonNullable<Today['codes']> }) {
  const most = Math.max(1, ...codes.map((one) => one.codes))
  return (
    <Panel title="Codes redeemed by streamer">
      {codes.length === 0 ? (
        <p className={styles.note}>No code was redeemed with a streamer’s referral code.</p>
      ) : (
        <ol className={styles.bars} aria-label="Codes redeemed by streamer">
          {codes.map((one) => (
            <li key={one.referral_code}>
              <Link to={`/admin/vouchers#streamer=${encodeURIComponent(one.referral_code)}`}>{one.streamer}</Link>
              <span>
                {formatCount(one.codes)} {one.codes === 1 ? 'code' : 'codes'}
              </span>
              <meter min={0} max={most} value={one.codes} aria-label={`${one.streamer}: ${one.codes} codes`} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
