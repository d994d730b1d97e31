import { useEffect, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { LINE_QUANTITY_MAX } from '#contract/limits.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { useSession } from '#web/api/session.ts'
import { getCurrency } from '#web/features/shop/amounts.ts'
import { FromTheShop } from '#web/features/shop/from-the-shop.tsx'
import { ItemPicture, Price } from '#web/features/shop/item-parts.tsx'
import { type GetTipProps, useItemTip } from '#web/features/shop/item-tip.tsx'
import { PurchasesClosed } from '#web/features/shop/purchases-closed.tsx'
import { getItemPath } from '#web/features/shop/shop-view.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { showToast } from '#web/ui/toast.ts'
import { Count } from '#web/ui/value.tsx'
import { getLinePrice, mergeRemovedLines } from './cart.ts'
import styles from './cart-page.module.css'
import { CartReceipt, Receipt } from './cart-receipt.tsx'
import { useCart, useCartChange } from './use-cart.ts'

/** The shopping cart for players (CART-1). The HTML is the same for every visitor. */
export default function CartPage() {
  const user = useSession()?.user
  const cart = useCart()
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.shop]}
        crumb="Shopping Cart"
        title="Shopping Cart"
        lines={['Check what you want, leave the rest for later.']}
      />
      <PurchasesClosed />
      {user === undefined || cart.data === undefined ? (
        cart.isError ? (
          <Panel>
            <EmptyState
              title="We couldn't load your cart"
              line="Your items are still in it."
              action={<Button onClick={() => void cart.refetch()}>Try again</Button>}
            />
          </Panel>
        ) : (
          <CartSkeleton />
        )
      ) : cart.data.length === 0 ? (
        <Panel>
          <EmptyState
            title="Your cart is empty"
            line="Items you add in the shop stay here until you buy them."
            action={<ButtonLink to="/itemshop">Open the Item Shop</ButtonLink>}
          />
        </Panel>
      ) : (
        <div className={`${layout.panels} ${styles.cart}`}>
          <CartLines lines={cart.data} userNum={user.UserNum} />
          <CartReceipt lines={cart.data} user={user} />
        </div>
      )}
      {cart.data !== undefined && (
        <FromTheShop
          title={cart.data.length === 0 ? undefined : 'Goes well with it'}
          category={cart.data[0]?.shopitem.category}
          excludedIds={cart.data.map(({ shopitem }) => shopitem.ProductNum)}
        />
      )}
    </>
  )
}

/** A placeholder of the cart's size. */
function CartSkeleton() {
  return (
    <Loading className={`${layout.panels} ${styles.cart}`}>
      <Panel title="Items">
        {['first', 'second', 'third'].map((line) => (
          <div className={styles.skeletonRow} key={line}>
            <Skeleton width={72} height={60} />
            <Skeleton width="60%" height={24} />
          </div>
        ))}
      </Panel>
      <Receipt title="Summary" note="">
        <div className={styles.receiptSkeleton} />
      </Receipt>
    </Loading>
  )
}

/**
 * The lines of a cart with a shared tooltip. A removed line can be restored from the toast. Its space stays empty until
 * the pointer leaves the list or the toast disappears, so no other line moves under the pointer.
 */
function CartLines({ lines, userNum }: { lines: readonly CartLine[]; userNum: number }) {
  const { changeLine, restoreLine } = useCartChange(userNum)
  const { getTipProps, tooltip } = useItemTip()
  const [removedLines, setRemovedLines] = useState<readonly CartLine[]>([])

  const onChange = (line: CartLine, step: Step) => {
    changeLine({ seq: line.seq, ProductNum: line.shopitem.ProductNum, step })
    if (step !== -1 || line.quantity > 1) return
    setRemovedLines((rows) => [...rows, line])
    void showToast('note', `Removed from your cart: ${line.shopitem.ItemName}`, {
      action: { label: 'Undo', onPress: () => restoreLine(line) },
      onClosed: () => setRemovedLines((rows) => rows.filter((row) => row.seq !== line.seq)),
    })
  }

  return (
    <Panel title="Items" actions={<Count of={lines.length} unit="item" />}>
      <ul
        className={layout.rows}
        aria-label="Items in your cart"
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setRemovedLines([])}
      >
        {mergeRemovedLines(lines, removedLines).map(({ line, isRemoved }) =>
          isRemoved ? (
            <RemovedRow key={line.seq} line={line} />
          ) : (
            <CartRow key={line.seq} line={line} getTipProps={getTipProps} onStep={(step) => onChange(line, step)} />
          ),
        )}
      </ul>
      {tooltip}
    </Panel>
  )
}

type Step = 1 | -1 | 'check'
type CartRowProps = { line: CartLine; getTipProps: GetTipProps; onStep: (step: Step) => void }

/** A line: checkbox, picture, name, quantity with its buttons, and price × quantity (CART-1, CART-3). */
function CartRow({ line, getTipProps, onStep }: CartRowProps) {
  const { shopitem, quantity, isChecked } = line
  const currency = getCurrency(shopitem.section)
  return (
    <li className={styles.row} data-checked={isChecked === 1 || undefined}>
      <label className={styles.check}>
        <input type="checkbox" checked={isChecked === 1} onChange={() => onStep('check')} />
        <span className="visually-hidden">Buy {shopitem.ItemName}</span>
      </label>
      <Link to={getItemPath(shopitem.ProductNum)} className={styles.item} {...getTipProps(shopitem)}>
        <ItemPicture item={shopitem} className={styles.picture} isLazy />
        <span className={layout.stack2}>
          <span className={styles.name}>{shopitem.ItemName}</span>
          <span className={styles.unitPrice}>
            <Price amount={shopitem.price} currency={currency} markSize={16} /> each
          </span>
        </span>
      </Link>
      <Stepper
        what={shopitem.ItemName}
        quantity={quantity}
        fullMessage={quantity >= LINE_QUANTITY_MAX ? SHOP_TEXTS.lineFull : undefined}
        onStep={onStep}
        removeLabel="Remove"
        className={styles.steps}
      />
      <span className={styles.price}>
        <Price amount={getLinePrice(line)} currency={currency} markSize={22} />
      </span>
    </li>
  )
}

/** The placeholder of a removed line, with the item's name and the line's height. It takes the focus of the line's button. */
function RemovedRow({ line }: { line: CartLine }) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) row.current?.focus({ preventScroll: true })
  }, [])
  return (
    <li ref={row} className={`${styles.row} ${styles.removedRow}`} tabIndex={-1}>
      <span className={styles.item}>
        <span className={styles.picture} />
        <span className={styles.name}>Removed: {line.shopitem.ItemName}</span>
      </span>
      <span className={styles.gap} />
    </li>
  )
}
