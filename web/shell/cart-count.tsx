import { getShopCart } from '#contract/cart.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { Value } from '#web/ui/value.tsx'
import styles from './bottom-bar.module.css'

/**
 * Shows the number of entries in a player's cart. Only phones of logged-in players download this file.
 */
export function CartCount() {
  const usernum = useSession()?.user.UserNum ?? 0
  const options = { enabled: usernum > 0, staleTime: Number.POSITIVE_INFINITY, retry: false }
  const lines = useCall(getShopCart, { usernum }, options).data
  return lines === undefined || lines.length === 0 ? null : (
    <span className={styles.count}>
      <Value>{lines.length}</Value>
      <span className="visually-hidden"> in your cart</span>
    </span>
  )
}
