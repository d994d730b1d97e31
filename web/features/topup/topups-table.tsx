import styles from '#web/features/purchases/history.module.css'
import { Moment } from '#web/features/purchases/history-board.tsx'
import { Price } from '#web/features/shop/item-parts.tsx'

type Topup = { CardCode: string; DateTopUp: string; Cardvalue: number; CardMilleage: number }

/** Redeemed codes as a table; on a phone each row is a card. */
export function TopupsTable({ rows }: { rows: readonly Topup[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Redeemed codes</caption>
      <thead className={styles.heads}>
        <tr>
          <th scope="col">Card Code</th>
          <th scope="col">Date of Top-up</th>
          <th scope="col" className={styles.number}>
            Card Value
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ CardCode, DateTopUp, Cardvalue, CardMilleage }) => (
          <tr key={CardCode} className={styles.row}>
            <th scope="row" className={styles.code}>
              {CardCode}
            </th>
            <td>
              <Moment iso={DateTopUp} />
            </td>
            <td className={styles.price}>
              {(Cardvalue > 0 || CardMilleage === 0) && <Price amount={Cardvalue} currency="rCoin" />}
              {CardMilleage > 0 && <Price amount={CardMilleage} currency="milleage" />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
