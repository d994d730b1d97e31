import { currencyOf } from '#web/features/shop/currency.ts'
import { ItemPicture } from '#web/features/shop/item-picture.tsx'
import { Price } from '#web/features/shop/price.tsx'
import { itemPath } from '#web/features/shop/shop-view.ts'
import { Link } from '#web/ui/link.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { Deliveries } from './deliveries.tsx'
import styles from './history-table.module.css'
import { Moment } from './moment.tsx'
import type { Purchase } from './queries.ts'

/** Purchases as a table; on a phone each row is a card. */
export function PurchasesTable({ rows }: { rows: readonly Purchase[] }) {
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

function PurchaseRow({ row: { shopitem, quantity, PurDate, deliveries } }: { row: Purchase }) {
  return (
    <tr className={styles.row}>
      <th scope="row" className={styles.item}>
        <Link to={itemPath(shopitem.ProductNum)}>
          <ItemPicture item={shopitem} className={styles.picture} lazy />
          <span>{shopitem.ItemName}</span>
        </Link>
      </th>
      <td className={styles.quantity}>{quantity}</td>
      <td className={styles.date}>
        <Moment iso={PurDate} />
      </td>
      <td className={styles.price}>
        <Price amount={shopitem.price * quantity} currency={currencyOf(shopitem.section)} />
        {quantity > 1 && <span className={styles.each}>{formatMoney(shopitem.price)} each</span>}
      </td>
      <td className={styles.delivery}>
        <Deliveries deliveries={deliveries} />
      </td>
    </tr>
  )
}
