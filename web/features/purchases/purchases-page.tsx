import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getReceipts, getShopPurchases, setReceipts } from '#contract/cart.ts'
import { formatMoney } from '#contract/numbers.ts'
import { SERVICE_TEXTS } from '#contract/services.ts'
import { call } from '#web/api/call.ts'
import { usePageSearch } from '#web/api/page.ts'
import { toQueryKey, useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { alertRefusal } from '#web/features/cart/use-cart.ts'
import { getCurrency } from '#web/features/shop/amounts.ts'
import { ItemPicture, Price } from '#web/features/shop/item-parts.tsx'
import { ServiceChange } from '#web/features/shop/service-change.tsx'
import { getItemPath } from '#web/features/shop/shop-view.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import { Link } from '#web/ui/link.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { showToast } from '#web/ui/toast.ts'
import { Value } from '#web/ui/value.tsx'
import styles from './history.module.css'
import { HISTORY_OPTIONS, HistoryDate, HistoryPage } from './history-board.tsx'
import { historySearch } from './history-page-number.ts'
import { describeDeliveries, describeGiftState, describeUnit, type Purchase } from './history-text.ts'

/** A player's purchases (HISTORY-1). The HTML is the same for every visitor. */
export default function PurchasesPage() {
  const userNum = useSession()?.user.UserNum ?? 0
  const page = usePageSearch(historySearch)
  const history = useCall(getShopPurchases, { page }, { ...HISTORY_OPTIONS, enabled: userNum > 0 })
  return (
    <HistoryPage
      heading="Purchase History"
      line="Everything you bought, and where it is now."
      title="Purchases"
      target="/shoppurchases"
      page={page}
      history={history}
      getRows={({ purchasehistory }) => purchasehistory}
      emptyLine="Items you buy are listed here with date and price."
      emptyAction={<ButtonLink to="/itemshop">Open the Item Shop</ButtonLink>}
      actions={userNum > 0 && <ReceiptsSwitch key={userNum} />}
    >
      {(rows) => <PurchasesTable rows={rows} />}
    </HistoryPage>
  )
}

/** Purchases as a table; on a phone each row is a card. */
function PurchasesTable({ rows }: { rows: readonly Purchase[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Purchases</caption>
      <thead className={styles.heads}>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" className={styles.number}>
            Quantity
          </th>
          <th scope="col">Purchase Date</th>
          <th scope="col" className={styles.number}>
            Price
          </th>
          <th scope="col">Delivery</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PurchaseRow key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function PurchaseRow({ row: { shopitem, quantity, PurDate, deliveries, units, gift, service } }: { row: Purchase }) {
  return (
    <tr className={styles.row}>
      <th scope="row" className={styles.item}>
        <Link to={getItemPath(shopitem.ProductNum)}>
          <ItemPicture item={shopitem} className={styles.picture} isLazy />
          <span>{shopitem.ItemName}</span>
        </Link>
      </th>
      <td className={styles.quantity}>
        <Value>{quantity}</Value>
      </td>
      <td>
        <HistoryDate iso={PurDate} />
      </td>
      <td className={styles.price}>
        <Price amount={shopitem.price * quantity} currency={getCurrency(shopitem.section)} />
        {quantity > 1 && (
          <span className={styles.unitPrice}>
            <Value>{formatMoney(shopitem.price)}</Value> each
          </span>
        )}
      </td>
      <td className={styles.delivery}>
        {gift !== undefined && <span className={styles.state}>{describeGiftState(gift)}</span>}
        {service === undefined ? (
          <>
            {describeDeliveries(deliveries).map(({ state, text }) => (
              <span key={state} className={`${styles.state} ${styles[state]}`}>
                {text}
              </span>
            ))}
            <UnitList units={units} price={shopitem.price} section={shopitem.section} />
          </>
        ) : (
          <ServiceProgress service={service} />
        )}
      </td>
    </tr>
  )
}

/** The progress of a service: its character and change, the player's next step, or the reason for a refund. */
function ServiceProgress({ service }: { service: NonNullable<Purchase['service']> }) {
  const { state, character, before, after, note, since } = service
  return (
    <div className={styles.service}>
      <span className={`${styles.state} ${styles[SERVICE_MARKS[state]]}`}>
        <span>{SERVICE_TEXTS.stateNames[state]}</span>
        {state !== 'waiting' && (
          <>
            {' '}
            <HistoryDate iso={since} />
          </>
        )}
      </span>
      {(note !== '' || state === 'waiting') && <p>{note === '' ? SERVICE_TEXTS.waits : note}</p>}
      <p>
        For <b>{character}</b>
      </p>
      <ServiceChange before={before} after={after} />
    </div>
  )
}

/** The state of a unit whose symbol each state of a service shows. */
const SERVICE_MARKS = { waiting: 'queued', done: 'claimed', refunded: 'refunded' } as const

/** The units with their states and times; nothing while all of them are queued without a requested refund. */
function UnitList({ units, price, section }: { units: Purchase['units']; price: number; section: number }) {
  const names = useCurrencyNames()
  const hasProgress = units.some(({ state, refundRequested }) => state !== 'queued' || refundRequested !== null)
  if (!hasProgress) return null
  const refund = `${formatMoney(price)} ${names[getCurrency(section)]}`
  return (
    <details className={styles.units} open={units.length === 1}>
      <summary>{units.length === 1 ? 'This unit' : `Each of the ${units.length} units`}</summary>
      <ol>
        {units.map((unit) => (
          <li key={unit.unit}>
            <span>{describeUnit(unit, refund)}</span>{' '}
            <HistoryDate iso={unit.refunded ?? unit.refundRequested ?? unit.since} />
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The switch for mailed receipts. It changes at once and is reverted if the call fails. */
function ReceiptsSwitch() {
  const client = useQueryClient()
  const { data } = useCall(getReceipts, {}, HISTORY_OPTIONS)
  const setCachedReceipts = (wantsReceipts: boolean) =>
    client.setQueryData(toQueryKey(getReceipts, {}), { wanted: wantsReceipts })
  const saveReceipts = useMutation({
    mutationFn: (wantsReceipts: boolean) => call(setReceipts, { wanted: wantsReceipts }),
    onMutate: setCachedReceipts,
    onSuccess: ({ message }) => void showToast('done', message),
    onError: (error, wantsReceipts) => {
      setCachedReceipts(!wantsReceipts)
      alertRefusal(error)
    },
  })
  return (
    <Switch
      isOn={data?.wanted === true}
      isWaiting={data === undefined || saveReceipts.isPending}
      onChange={(wantsReceipts) => saveReceipts.mutate(wantsReceipts)}
    >
      Email me receipts
    </Switch>
  )
}
