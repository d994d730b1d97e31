import { useParams } from 'react-router'
import { UNIT_ODDITIES } from '#contract/bridge.ts'
import { formatDays } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { GIFT_LIFETIME_MS } from '#contract/limits.ts'
import { formatPlural } from '#contract/numbers.ts'
import { forceRefund, getOrder, refundPickedUp, withdrawRefund } from '#contract/orders.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { type FactList, Money, PlayerLink, State, When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { DeliverAgainButton, RedirectButton } from './deliver.tsx'
import styles from './orders.module.css'
import { useRefund } from './refund.tsx'
import { OrderState, STAGES, toCurrency } from './stages.tsx'

type OrderAnswer = CallOutput<typeof getOrder>
type Unit = OrderAnswer['units'][number]

const RELOAD_MS = 3000

/** Whether the bridge or the game may change a unit soon; the page then reloads at intervals. */
const mayChangeSoon = (answer: OrderAnswer | undefined) =>
  answer?.units.some(({ stage, in_game }) => (stage !== 'claimed' && stage !== 'refunded') || in_game === 'back') ??
  false

/** Shows one order: its units with their actions, and its ledger entries. */
export function Screen() {
  const { order = '' } = useParams()
  const answer = useCall(
    getOrder,
    { order },
    { refetchInterval: ({ state }) => (mayChangeSoon(state.data) ? RELOAD_MS : false) },
  )
  return <Loaded result={answer}>{(value) => <OrderPage key={order} answer={value} />}</Loaded>
}

function OrderPage({ answer: { order, units, entries, together, gift } }: { answer: OrderAnswer }) {
  const refund = useRefund()
  const may = useMay()
  const currency = toCurrency(order.currency)
  return (
    <RecordPage
      back={{ to: '/admin/orders', label: 'Orders' }}
      title={`${order.quantity > 1 ? `${order.quantity} × ` : ''}${order.item_name}`}
      badges={<OrderState row={order} />}
      actions={<OrderActions order={order} units={units} refund={refund} />}
      facts={{
        Player: <PlayerLink userNum={order.user_num} userId={order.user_id} />,
        Bought: gift?.way !== 'got' && <When at={order.bought_at} show="both" />,
        ...(gift !== null && listGiftFacts(gift)),
        Paid: (
          <>
            <Money amount={order.total} currency={currency} />
            {order.quantity > 1 && (
              <>
                {' '}
                (<Money amount={order.price} /> each)
              </>
            )}
          </>
        ),
        Item: (
          <Link to={`/admin/items/${order.product_num}`} className={styles.ref}>
            No. {order.product_num}
          </Link>
        ),
        Order: (
          <>
            {order.order}
            {may('audit.read') && (
              <>
                {' · '}
                <Link to={`/admin/audit?target_kind=order&target_id=${order.order}`} className={styles.ref}>
                  Audit log
                </Link>
              </>
            )}
          </>
        ),
        'Bought together with':
          together.length > 0 &&
          together.map((other, index) => (
            <span key={other.order}>
              {index > 0 && ', '}
              <Link to={`/admin/orders/${other.order}`} className={styles.ref}>
                {other.quantity > 1 && `${other.quantity} × `}
                {other.item_name}
              </Link>
            </span>
          )),
      }}
    >
      <WaitingPanels units={units} />
      {gift?.way === 'sent' && (
        <Panel title="A gift">
          <p className={`${deskLayout.inset12} ${deskLayout.readable}`}>{describeGiftState(order.gift)}</p>
        </Panel>
      )}
      <UnitList order={order} units={units} refund={refund} />
      <LedgerEntries entries={entries} />
      {refund.dialog}
    </RecordPage>
  )
}

type RefundDialog = ReturnType<typeof useRefund>

/** The actions on an order that its units and the operator's permissions allow. */
function OrderActions({ order, units, refund }: Pick<OrderAnswer, 'order' | 'units'> & { refund: RefundDialog }) {
  const may = useMay()
  const redirectableIds = units
    .filter(({ stage }) => stage === 'failed' || stage === 'waiting')
    .map(({ delivery }) => delivery)
  return (
    <>
      {may('orders.retry') && <DeliverAgainButton orders={[order]} />}
      {may('orders.refund') && redirectableIds.length > 0 && <RedirectButton units={redirectableIds} />}
      {may('orders.refund') && units.some(({ can_refund }) => can_refund) && (
        <Button
          tone={order.again.length > 0 ? 'secondary' : 'primary'}
          busy={refund.busy}
          onClick={() => void refund.openDialog({ orders: [order.order] })}
        >
          {units.length === 1 ? 'Refund…' : 'Refund everything…'}
        </Button>
      )}
    </>
  )
}

/** Shows units that wait for the bridge or for an operator's decision. */
function WaitingPanels({ units }: Pick<OrderAnswer, 'units'>) {
  const may = useMay()
  const requestedIds = units.filter(({ stage }) => stage === 'refund_requested').map(({ delivery }) => delivery)
  const oddIds = units
    .filter(({ stage, in_game }) => stage === 'delivered' && (in_game === 'cancelled' || in_game === 'gone'))
    .map(({ delivery }) => delivery)
  if (!may('orders.refund')) return null
  return (
    <>
      {requestedIds.length > 0 && (
        <Panel title="A refund is waiting for the bridge">
          <div className={styles.notice}>
            <p>
              {requestedIds.length === 1 ? 'One unit is' : `${requestedIds.length} units are`} paid back as soon as the
              bridge reports that the game no longer has {requestedIds.length === 1 ? 'it' : 'them'}.
            </p>
            <DeskAction
              endpoint={withdrawRefund}
              input={{ units: requestedIds }}
              label="Withdraw the request"
              tone="secondary"
              confirmation={{
                title: 'Withdraw the refund request?',
                action: 'Withdraw it',
                text: `${formatPlural(requestedIds.length, 'unit')} will stay with the player, and nothing is paid back.`,
                reason: 'required',
              }}
            />
            <ForceRefund units={requestedIds} />
          </div>
        </Panel>
      )}
      {oddIds.length > 0 && (
        <Panel title="The bridge can’t decide">
          <div className={styles.notice}>
            <p>
              The row of {oddIds.length === 1 ? 'one unit is' : `${oddIds.length} units are`} cancelled or deleted in
              the game. Check in the game whether the player has the item, then decide.
            </p>
            <ForceRefund units={oddIds} />
          </div>
        </Panel>
      )}
    </>
  )
}

/** Refunds units that wait for a bridge that will not return. */
function ForceRefund({ units }: { units: number[] }) {
  return (
    <DeskAction
      endpoint={forceRefund}
      input={{ units }}
      label="Pay back without the bridge…"
      tone="danger"
      confirmation={{
        title: `Pay back ${formatPlural(units.length, 'unit')} without the bridge?`,
        action: 'Pay back now',
        text: (
          <>
            <p>
              <b>The player may keep the item as well.</b> It has not been checked whether{' '}
              {units.length === 1 ? 'it is' : 'they are'} still in the game. Do this only if the bridge is not coming
              back.
            </p>
            <p>If there is another owner, they have to approve this first.</p>
          </>
        ),
        reason: 'required',
      }}
    />
  )
}

/** Lists the units with their stages. If there are several, each refundable unit has a button. */
function UnitList({ order, units, refund }: Pick<OrderAnswer, 'order' | 'units'> & { refund: RefundDialog }) {
  const may = useMay()
  if (units.length === 0) return null
  return (
    <Panel title={units.length === 1 ? 'The unit' : `${units.length} units`}>
      <ul className={styles.units}>
        {units.map((unit) => (
          <li key={unit.delivery}>
            <div className={styles.unit}>
              <b>Unit {unit.unit}</b>
              <State states={STAGES} state={unit.stage} />
              {unit.stage !== 'refunded' && unit.refunded_at !== null && <State states={STAGES} state="refunded" />}
              <span className={styles.number}>delivery {unit.delivery}</span>
            </div>
            {unit.in_game !== '' && <p className={styles.failure}>{UNIT_ODDITIES[unit.in_game]}.</p>}
            {unit.refund_refused !== '' && <p className={styles.failure}>{unit.refund_refused}</p>}
            {unit.failure !== '' && <p className={styles.failure}>{unit.failure}</p>}
            {unit.waits_for_account && (
              <p className={styles.failure}>
                The player has no account in the game yet. The unit is delivered as soon as there is one.
              </p>
            )}
            <UnitTimes unit={unit} />
            {(unit.to !== null || unit.pur_key !== null) && (
              <p className={styles.times}>
                {unit.to !== null && <>Goes to {unit.to}. </>}
                {unit.pur_key !== null && (
                  <>
                    Row {unit.pur_key} in the game
                    {unit.stage === 'refunded' && unit.in_game === '' && ', until it was taken back'}.
                  </>
                )}
              </p>
            )}
            {may('orders.refund') && unit.can_refund && units.length > 1 && (
              <Button
                tone="secondary"
                busy={refund.busy}
                onClick={() => void refund.openDialog({ units: [unit.delivery] })}
              >
                Refund…<span className="visually-hidden"> unit {unit.unit}</span>
              </Button>
            )}
            {may('orders.refund') && unit.can_refund_picked_up && <RefundPickedUp order={order} unit={unit} />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Refunds a unit that the player has picked up and keeps. */
function RefundPickedUp({ order, unit }: { order: OrderAnswer['order']; unit: Unit }) {
  return (
    <DeskAction
      endpoint={refundPickedUp}
      input={({ reason }) => ({ unit: unit.delivery, reason })}
      label="Refund a picked-up unit…"
      tone="secondary"
      confirmation={{
        title: `Refund unit ${unit.unit}, which was picked up?`,
        action: 'Refund it',
        text: (
          <>
            <p>
              {order.price > 0 ? (
                <Money amount={order.price} currency={toCurrency(order.currency)} />
              ) : (
                'The price of the gift'
              )}{' '}
              goes back to the player who paid. The item stays in the game. A unit can be refunded only one time.
            </p>
            <p>The amount counts against your limit. Above the limit, another operator has to approve first.</p>
          </>
        ),
        reason: 'required',
        reasonHint: 'Stored in the audit log',
      }}
    />
  )
}

/** Lists the payments and refunds of an order. */
function LedgerEntries({ entries }: Pick<OrderAnswer, 'entries'>) {
  return (
    <Panel title="In the ledger">
      {entries.length === 0 && (
        <p className={`${deskLayout.inset12} ${deskLayout.readable}`}>Nothing was paid for it.</p>
      )}
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <li key={entry.entry}>
            <span>
              <b>{entry.reason === 'refund' ? 'Refund' : 'Purchase'}</b>{' '}
              {entry.actor !== null && <>by {entry.actor} </>}
              <When at={entry.at} />
            </span>
            <span className={styles.number}>
              entry {entry.entry}, {entry.reference}
            </span>
            <Money amount={entry.delta} currency={toCurrency(entry.currency)} hasSign />
            <span className={styles.number}>
              balance <Money amount={entry.balance_after} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Returns the facts of a gift: the other player, that player's order, and the time when the gift ended. */
function listGiftFacts({ way, user_num, user_id, order, ended_at }: NonNullable<OrderAnswer['gift']>): FactList {
  return {
    [way === 'sent' ? 'Gift to' : 'Gift from']: (
      <>
        {user_num === null || user_id === null ? 'The team' : <PlayerLink userNum={user_num} userId={user_id} />}
        {order !== null && (
          <>
            {', '}
            <Link to={`/admin/orders/${order}`} className={styles.ref}>
              order {order}
            </Link>
          </>
        )}
      </>
    ),
    [order === null ? 'Paid back' : 'Claimed']: ended_at !== null && <When at={ended_at} show="both" />,
  }
}

/** Describes the next step of a bought gift. */
function describeGiftState(state: OrderAnswer['order']['gift']): string {
  switch (state) {
    case 'open':
      return `It is waiting in the recipient’s mail box. If they refuse it or don’t claim it within ${formatDays(GIFT_LIFETIME_MS)}, the buyer gets the money back.`
    case 'claimed':
      return 'The recipient has claimed it. Its unit is in their order; a refund there is paid to the buyer.'
    case 'refused':
      return 'The recipient refused it, and the buyer got the money back.'
    case 'blocked':
      return 'The recipient’s account was blocked before they claimed it, and the buyer got the money back.'
    default:
      return `It was not claimed within ${formatDays(GIFT_LIFETIME_MS)}, and the buyer got the money back.`
  }
}

const UNIT_EVENTS = [
  ['queued_at', 'Bought'],
  ['handed_at', 'handed to the bridge'],
  ['failed_at', 'failed'],
  ['retry_at', 'next try'],
  ['delivered_at', 'delivered'],
  ['claimed_at', 'claimed'],
  ['refund_requested_at', 'refund requested'],
  ['refunded_at', 'refunded'],
] as const

/** Lists the events of a unit in order of time. */
function UnitTimes({ unit }: { unit: Unit }) {
  return (
    <p className={styles.times}>
      {UNIT_EVENTS.filter(([name]) => unit[name] !== null).map(([name, label], index) => (
        <span key={name}>
          {index > 0 && ' · '}
          {label} <When at={unit[name]} />
        </span>
      ))}
    </p>
  )
}
