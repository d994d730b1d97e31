import type { CallOutput } from '#contract/endpoint.ts'
import { clockParts } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { getToday } from '#contract/today.ts'
import { useCall } from '#web/api/queries.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import looks from '../../kit/desk-layout.module.css'
import { When } from '../../kit/facts.tsx'
import { DeskIcon } from '../../kit/icons.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SmallChart } from '../../kit/small-chart.tsx'
import { FirstSteps } from './first-steps.tsx'
import styles from './today.module.css'

type Today = CallOutput<typeof getToday>
type Need = Today['needs'][number]

/** The desk's first screen: waiting work, then the last 30 days. */
export function Screen() {
  const today = useCall(getToday, {}, { refetchOnWindowFocus: true })
  return (
    <>
      <ScreenHead title="Today" line={`${clockParts(Date.now()).date} in Manila`} />
      <Loaded of={today} height={720}>
        {(value) => (
          <div className={`${layout.panels} ${styles.parts}`}>
            {value.first_steps !== null && <FirstSteps steps={value.first_steps} />}
            <Needs needs={value.needs} />
            {value.figures !== null && <Month figures={value.figures} />}
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
    to: '/admin/backups',
    waited: 'since',
  },
  approvals: {
    one: 'request is waiting for your approval',
    many: 'requests are waiting for your approval',
    to: '/admin/approvals?state=waiting',
    waited: 'the oldest is from',
  },
  erasures: {
    one: 'account waits to be erased',
    many: 'accounts wait to be erased',
    to: '/admin/players?state=erasing',
    waited: 'the next one',
  },
  appeals: {
    one: 'player appeals against a block',
    many: 'players appeal against a block',
    to: '/admin/appeals?state=waiting',
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
    to: '/admin/settings?group=Shop',
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
  unpriced: {
    one: 'item has no usual price to compare with',
    many: 'items have no usual price to compare with',
    to: '/admin/items?sort=new',
    waited: 'the first since',
  },
  rewards: {
    one: 'source of rewards is open without another owner’s approval',
    many: 'sources of rewards are open without another owner’s approval',
    to: '/admin/rewards',
    waited: 'since',
  },
}

/** Kinds whose detail names their subject. */
const DETAILED: readonly Need['kind'][] = ['cheap', 'unpriced', 'rewards']

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
            {DETAILED.includes(kind) && `: ${detail}`}
          </span>
          <span className={looks.faint}>
            {kind === 'rewards' && since === null ? (
              'It counts against nobody’s limit. An owner can look at it and approve it.'
            ) : kind === 'closed' && since === null ? (
              'A new shop begins closed, so players can’t pay before it is ready. Open it in the settings.'
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

/** The last 30 days in short. Every chart leads to the figures. */
function Month({ figures }: { figures: NonNullable<Today['figures']> }) {
  const { days, counted_at } = figures
  const points = (values: readonly number[]) =>
    days.map((day, nth) => ({ label: dayName.format(new Date(day)), value: values[nth] ?? 0 }))
  const to = '/admin/figures'
  return (
    <section aria-labelledby="month" className={layout.panels}>
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
      <Panel>
        <div className={styles.charts}>
          <SmallChart title="New players" points={points(figures.registrations)} to={to} />
          <SmallChart
            title="Active today"
            points={points(figures.active_players)}
            total={formatCount(figures.active_players.at(-1) ?? 0)}
            to={to}
          />
          <SmallChart title="R-Coin spent" points={points(figures.r_coin_spent)} to={to} />
          <SmallChart title="Milleage spent" points={points(figures.milleage_spent)} to={to} />
        </div>
      </Panel>
    </section>
  )
}
