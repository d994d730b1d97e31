import { getLedger, LEDGER_REASONS } from '#contract/wallet.ts'
import { Link } from '#web/ui/link.tsx'
import { Money, PlayerLink } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { OrderParts, toCurrency } from './stages.tsx'

type Entry = RowOf<typeof getLedger>

const nameReason = (reason: string) => (LEDGER_REASONS as Record<string, string>)[reason] ?? reason

const COLUMNS: Column<Entry>[] = [
  { key: 'entry', title: 'Entry', sort: 'entry' },
  { key: 'at', title: 'When', kind: 'when', card: 'bare' },
  {
    key: 'player',
    title: 'Player',
    card: 'inline',
    cell: (row) => <PlayerLink userNum={row.user_num} userId={row.user_id} />,
  },
  { key: 'reason', title: 'Reason', card: 'bare', cell: ({ reason }) => nameReason(reason) },
  { key: 'reference', title: 'Reference', card: 'none' },
  { key: 'actor', title: 'By', card: 'inline' },
  {
    key: 'delta',
    title: 'Change',
    align: 'end',
    card: 'end',
    cell: ({ delta, currency }) => <Money amount={delta} currency={toCurrency(currency)} hasSign />,
  },
  { key: 'balance_after', title: 'Balance', kind: 'money', card: 'inline' },
]

/** Lists the ledger: every change of a balance. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="Orders"
        line={
          <>
            Every change of a balance: purchases, refunds, vouchers, rewards and changes by hand. Export it for your
            books; daily totals are in <Link to="/admin/figures">Figures</Link>.
          </>
        }
      >
        <OrderParts current="ledger" />
      </ScreenHead>
      <List
        endpoint={getLedger}
        label="Ledger"
        columns={COLUMNS}
        filters={{
          player: { kind: 'search', label: 'Player: user ID or number' },
          currency: {
            kind: 'choice',
            label: 'Currency',
            options: [
              ['r_coin', 'R-Coin'],
              ['milleage', 'Milleage'],
            ],
          },
          reason: { kind: 'choice', label: 'Reason', options: LEDGER_REASONS },
          from: { kind: 'day', label: 'From' },
          until: { kind: 'day', label: 'Until' },
        }}
        getId={({ entry }) => entry}
        empty={{ title: 'No entries yet', line: 'Every change of a balance is listed here.' }}
      />
    </>
  )
}
