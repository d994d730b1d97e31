import type { CallOutput } from '#contract/endpoint.ts'
import { getClockParts } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { getToday } from '#contract/today.ts'
import { useCall } from '#web/api/queries.ts'
import { CurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
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
      <ScreenHead title="Today" line={`${getClockParts(Date.now()).date} in Manila`} />
      <Loaded result={today} height={720}>
        {(value) => (
          <div className={`${layout.panels} ${styles.parts}`}>
            {value.first_steps !== null && <FirstSteps steps={value.first_steps} />}
            <Needs needs={value.needs} />
            {value.figures !== null && <LastDays figures={value.figures} />}
          </div>
        )}
      </Loaded>
    </>
  )
}

/** A kind of waiting work: its texts for one and for several, its age, and the label and address of its button. */
type Work = { singular: string; plural: string; since: string; buttonLabel: string; to: string }

const WORK_TEXTS: Record<Exclude<Need['kind'], 'problem' | 'backup'>, Work> = {
  approvals: {
    singular: 'request waits for your approval',
    plural: 'requests wait for your approval',
    since: 'the oldest is from',
    buttonLabel: 'Approve or reject',
    to: '/admin/approvals?state=waiting',
  },
  erasures: {
    singular: 'account will be erased',
    plural: 'accounts will be erased',
    since: 'the next one',
    buttonLabel: 'See who, or cancel the erasure',
    to: '/admin/players?state=erasing',
  },
  appeals: {
    singular: 'player appeals against a block',
    plural: 'players appeal against a block',
    since: 'the oldest is from',
    buttonLabel: 'Decide',
    to: '/admin/appeals?state=waiting',
  },
  tickets: {
    singular: 'ticket waits for an answer',
    plural: 'tickets wait for an answer',
    since: 'the oldest is from',
    buttonLabel: 'Answer',
    to: '/admin/tickets?state=open',
  },
  reports: {
    singular: 'post was reported',
    plural: 'posts were reported',
    since: 'the oldest is from',
    buttonLabel: 'Decide',
    to: '/admin/forum?state=open&kind=report',
  },
  held: {
    singular: 'post is held back',
    plural: 'posts are held back',
    since: 'the oldest is from',
    buttonLabel: 'Show or remove',
    to: '/admin/forum?state=open&kind=held',
  },
  deliveries: {
    singular: 'item could not be delivered',
    plural: 'items could not be delivered',
    since: 'the first failed',
    buttonLabel: 'Deliver again or refund',
    to: '/admin/orders?stage=failed',
  },
  refunds: {
    singular: 'refund waits for the game',
    plural: 'refunds wait for the game',
    since: 'the oldest is from',
    buttonLabel: 'See the orders',
    to: '/admin/orders?stage=refund_requested',
  },
  renamed: {
    singular: 'game account has a new ID',
    plural: 'game accounts have new IDs',
    since: 'the first',
    buttonLabel: 'Decide whose it is',
    to: '/admin/account-import',
  },
  closed: {
    singular: 'Purchases are closed, so players can’t buy anything',
    plural: 'Purchases are closed, so players can’t buy anything',
    since: 'closed',
    buttonLabel: 'Open purchases',
    to: '/admin/settings?group=Shop',
  },
  mails: {
    singular: 'email could not be sent',
    plural: 'emails could not be sent',
    since: 'the first',
    buttonLabel: 'Send again',
    to: '/admin/mail?state=given-up',
  },
  cheap: {
    singular: 'item was sold below half of its usual price',
    plural: 'items were sold below half of their usual price',
    since: 'the first',
    buttonLabel: 'Check the price',
    to: '/admin/items',
  },
  unpriced: {
    singular: 'item has no usual price to compare with',
    plural: 'items have no usual price to compare with',
    since: 'the first',
    buttonLabel: 'Check the price',
    to: '/admin/items?sort=new',
  },
  rewards: {
    singular: 'source of rewards pays without another owner’s approval',
    plural: 'sources of rewards pay without another owner’s approval',
    since: 'the first',
    buttonLabel: 'Check and approve',
    to: '/admin/rewards',
  },
}

const OPEN_GAME = { buttonLabel: 'Open Game', to: '/admin/game' }

/** The button for each problem that a screen can solve. Health explains the others. */
const PROBLEM_BUTTONS: Record<string, { buttonLabel: string; to: string; problem?: string }> = {
  backup: { buttonLabel: 'Back up now', to: '/admin/backups' },
  'mail server': {
    buttonLabel: 'Enter the mail server',
    to: '/admin/mail',
    problem: 'Emails are not delivered, because this site has no mail server.',
  },
  mail: { buttonLabel: 'See the emails', to: '/admin/mail' },
  'no bridge': { buttonLabel: 'Pair the bridge', to: '/admin/game' },
  'bridge refused': OPEN_GAME,
  bridge: OPEN_GAME,
  'game restored': { buttonLabel: 'Confirm the restore', to: '/admin/game' },
  'unknown units': { buttonLabel: 'See the units', to: '/admin/game' },
  doubled: { buttonLabel: 'See the list', to: '/admin/game' },
}

const OPEN_HEALTH: (typeof PROBLEM_BUTTONS)[string] = { buttonLabel: 'Open Health', to: '/admin/health' }

/** The kinds whose detail names their subject. */
const KINDS_WITH_DETAIL: readonly Need['kind'][] = ['cheap', 'unpriced', 'rewards']

function Needs({ needs }: { needs: Need[] }) {
  if (needs.length === 0)
    return (
      <section className={styles.nothing} aria-label="What needs you now">
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

/** States a problem and its age in one sentence, with the button to solve it. */
function NeedRow({ need }: { need: Need }) {
  const { kind, problem, count, more, since, detail } = need
  const isProblem = kind === 'problem' || kind === 'backup'
  const solution = PROBLEM_BUTTONS[problem] ?? OPEN_HEALTH
  const work = isProblem ? { since: 'began', problem: detail, ...solution } : WORK_TEXTS[kind]
  return (
    <li data-tone={isProblem ? 'bad' : undefined}>
      <Link to={work.to} className={styles.need}>
        <b>{isProblem ? <DeskIcon name="warning" size={26} /> : `${count}${more ? '+' : ''}`}</b>
        <span className={styles.text}>
          <span className={styles.summary}>
            {'singular' in work ? (count === 1 ? work.singular : work.plural) : work.problem}
            {KINDS_WITH_DETAIL.includes(kind) && <CurrencyText>{`: ${detail}`}</CurrencyText>}
          </span>
          {since !== null && (
            <span className={deskLayout.faint}>
              {work.since} <When at={since} />
            </span>
          )}
          <span className={styles.button}>
            {work.buttonLabel} <DeskIcon name="forward" size={16} />
          </span>
        </span>
      </Link>
    </li>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Summarises the last 30 days. Every chart links to the figures. */
function LastDays({ figures }: { figures: NonNullable<Today['figures']> }) {
  const { days, counted_at } = figures
  const toPoints = (values: readonly number[]) =>
    days.map((day, index) => ({ label: dayFormat.format(new Date(day)), value: values[index] ?? 0 }))
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
          <SmallChart title="New players" points={toPoints(figures.registrations)} to={to} />
          <SmallChart
            title="Active today"
            points={toPoints(figures.active_players)}
            total={formatCount(figures.active_players.at(-1) ?? 0)}
            to={to}
          />
          <SmallChart title="R-Coin spent" points={toPoints(figures.r_coin_spent)} to={to} />
          <SmallChart title="Milleage spent" points={toPoints(figures.milleage_spent)} to={to} />
        </div>
      </Panel>
    </section>
  )
}
