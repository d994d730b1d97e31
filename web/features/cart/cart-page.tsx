import { useSession } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { CartLines } from './cart-lines.tsx'
import styles from './cart-page.module.css'
import { CartReceipt } from './cart-receipt.tsx'
import { CartSkeleton } from './cart-skeleton.tsx'
import { useCart } from './use-cart.ts'

/** The shopping cart (SPEC §2.12), for players only: its HTML knows nobody. */
export default function CartPage() {
  const user = useSession()?.user
  const cart = useCart(user?.UserNum ?? 0)
  return (
    <>
      <PageHead
        crumb="Shopping Cart"
        title="Shopping Cart"
        lines={['Check what you want, leave the rest for later.']}
      />
      {user === undefined || cart.data === undefined ? (
        cart.isError ? (
          <Panel>
            <EmptyState
              title="The cart did not come"
              line="What you put in is still there."
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
            line="What you add in the item shop waits here until you buy it."
            action={<ButtonLink to="/itemshop">Open the Item Shop</ButtonLink>}
          />
        </Panel>
      ) : (
        <div className={styles.cart}>
          <CartLines lines={cart.data} userNum={user.UserNum} />
          <CartReceipt lines={cart.data} user={user} />
        </div>
      )}
    </>
  )
}
