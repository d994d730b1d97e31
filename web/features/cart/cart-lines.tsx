import type { CartLine } from '#contract/cart.ts'
import { ItemTip } from '#web/features/shop/item-tip.tsx'
import { useItemTip } from '#web/features/shop/use-item-tip.ts'
import { Panel } from '#web/ui/panel.tsx'
import { CartRow } from './cart-row.tsx'
import { useCartChange } from './use-cart-change.ts'

type CartLinesProps = { lines: readonly CartLine[]; userNum: number }

/** The lines of a cart with one tooltip for all of them. */
export function CartLines({ lines, userNum }: CartLinesProps) {
  const change = useCartChange(userNum)
  const { tipProps, ...tip } = useItemTip()
  return (
    <Panel title="Items" actions={`${lines.length} ${lines.length === 1 ? 'item' : 'items'}`}>
      <ul aria-label="Items in your cart">
        {lines.map((line) => (
          <CartRow key={line.seq} line={line} tipProps={tipProps} onChange={change} />
        ))}
      </ul>
      <ItemTip {...tip} />
    </Panel>
  )
}
