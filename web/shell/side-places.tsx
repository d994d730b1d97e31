import { lazy, Suspense } from 'react'
import { useSession } from '#web/api/session.ts'
import { useHydrated } from '#web/api/use-hydrated.ts'
import styles from './side-places.module.css'

const CartSummary = lazy(async () => ({
  default: (await import('#web/features/cart/cart-summary.tsx')).CartSummary,
}))
const ItemScroller = lazy(async () => ({
  default: (await import('#web/features/shop/item-scroller.tsx')).ItemScroller,
}))

/** The cart summary's place in the side panel; its code comes for players only. */
export function CartPlace() {
  const isPlayer = useSession() !== null
  return (
    <div className={styles.cart}>
      {isPlayer && (
        <Suspense>
          <CartSummary />
        </Suspense>
      )}
    </div>
  )
}

/** The item scroller's place on inner pages; its code comes after the page. */
export function ScrollerPlace() {
  const hydrated = useHydrated()
  return (
    <div className={styles.scroller}>
      {hydrated && (
        <Suspense>
          <ItemScroller />
        </Suspense>
      )}
    </div>
  )
}

/** The item scroller in the home page's column, for players, as high as the column leaves. */
export function PlayersScroller({ className }: { className?: string | undefined }) {
  const isPlayer = useSession() !== null
  return isPlayer ? <Suspense>{<ItemScroller className={className} />}</Suspense> : null
}
