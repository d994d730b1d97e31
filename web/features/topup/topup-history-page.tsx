import { getTopupHistory } from '#contract/vouchers.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import styles from '#web/features/purchases/history.module.css'
import { HISTORY_OPTIONS, HistoryDate, HistoryPage } from '#web/features/purchases/history-board.tsx'
import { historySearch } from '#web/features/purchases/history-page-number.ts'
import { Price } from '#web/features/shop/item-parts.tsx'
import { ButtonLink } from '#web/ui/button.tsx'

/** The page with a player's redeemed codes (HISTORY-2). Its HTML is the same for every visitor. */
export default function TopupHistoryPage() {
  const userNum = useSession()?.user.UserNum ?? 0
  const page = usePageSearch(historySearch)
  const history = useCall(getTopupHistory, { page }, { ...HISTORY_OPTIONS, enabled: userNum > 0 })
  return (
    <HistoryPage
      heading="Redeem History"
      line="Every code you redeemed."
      title="Redeemed codes"
      target="/topuphistory"
      page={page}
      history={history}
      getRows={({ topuphistory }) => topuphistory}
      emptyLine="Codes you redeem are listed here with date and value."
      emptyAction={<ButtonLink to="/topup">Redeem a code</ButtonLink>}
    >
      {(rows) => <TopupsTable rows={rows} />}
    </HistoryPage>
  )
}

type Topup = { CardCode: string; DateTopUp: string; Cardvalue: number; CardMilleage: number }

/** Redeemed codes as a table; on a phone each row is a card. */
function TopupsTable({ rows }: { rows: readonly Topup[] }) {
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
              <HistoryDate iso={DateTopUp} />
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
