import { getOrders, URGENT_STAGES } from '#contract/orders.ts'
import { Button } from '#web/ui/button.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Money, PlayerLink } from '../../kit/facts.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { DeliverAgainButton } from './deliver.tsx'
import { useRefund } from './refund.tsx'
import { OrderParts, type OrderRow, OrderState, STAGES, toCurrency } from './stages.tsx'

const STAGE_OPTIONS: [value: string, label: string][] = [
  ...URGENT_STAGES.map((stage): [string, string] => [stage, STAGES[stage][0]]),
  ['odd', 'Problem in the game'],
]

const columns: Column<OrderRow>[] = [
  {
    key: 'order',
    title: 'Order',
    sort: 'order',
    cell: ({ order }) => <span className={deskLayout.unbroken}>{order}</span>,
  },
  {
    key: 'player',
    title: 'Player',
    sort: 'player',
    card: 'bare',
    cell: (row) => <PlayerLink userNum={row.user_num} userId={row.user_id} />,
  },
  {
    key: 'item',
    title: 'Items',
    sort: 'item',
    card: 'bare',
    cell: (row) => (row.quantity > 1 ? `${row.quantity} × ${row.item_name}` : row.item_name),
  },
  { key: 'state', title: 'State', sort: 'state', cell: (row) => <OrderState row={row} />, card: 'end' },
  { key: 'bought_at', title: 'Bought', sort: 'bought_at', kind: 'when', card: 'inline' },
  {
    key: 'total',
    title: 'Total',
    sort: 'total',
    align: 'end',
    card: 'end',
    cell: (row) => <Money amount={row.total} currency={toCurrency(row.currency)} />,
  },
]

/** Lists players' orders. Operators can search them and refund several at once. */
export function Screen() {
  const may = useMay()
  const { openDialog: openRefundDialog, busy, dialog } = useRefund()
  return (
    <>
      <ScreenHead
        title="Orders"
        line="Everything that players have bought. Open an order to see each unit, refund it or deliver it again."
      >
        <OrderParts current="orders" />
      </ScreenHead>
      <List
        endpoint={getOrders}
        label="Orders"
        columns={columns}
        filters={{
          player: { kind: 'search', label: 'Player: user ID or number' },
          item: { kind: 'text', label: 'Item: name or number' },
          stage: { kind: 'choice', label: 'State', options: STAGE_OPTIONS },
          from: { kind: 'day', label: 'From' },
          until: { kind: 'day', label: 'Until' },
        }}
        getId={(row) => row.order}
        getLink={(row) => `/admin/orders/${row.order}`}
        empty={{ title: 'No orders yet', line: 'Purchases in the item shop are listed here.' }}
        {...((may('orders.refund') || may('orders.retry')) && {
          renderBulkActions: (rows: OrderRow[], clear: () => void) => (
            <>
              {may('orders.retry') && <DeliverAgainButton orders={rows} onDone={clear} />}
              {may('orders.refund') && (
                <Button busy={busy} onClick={() => void openRefundDialog({ orders: rows.map(({ order }) => order) })}>
                  Refund…
                </Button>
              )}
            </>
          ),
        })}
      />
      {dialog}
    </>
  )
}
