import { getShopCart } from '#contract/cart.ts'
import { SHELL } from '#contract/messages.ts'
import { formatMoney } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import styles from './purse.module.css'

/** The entries in the player's cart, as every part of the shell that counts them asks for them; undefined until they are there. */
export function useCartLines() {
  const usernum = useSession()?.user.UserNum ?? 0
  const options = { enabled: usernum > 0, staleTime: Number.POSITIVE_INFINITY, retry: false }
  return useCall(getShopCart, { usernum }, options).data
}

/** R-Coin, Milleage and the number of entries in the cart. A file of its own, because only players' phones fetch it. */
export function Purse() {
  const user = useSession()?.user
  const lines = useCartLines()
  if (user === undefined) return null
  return (
    <>
      <Link to="/topup" className={styles.part}>
        <CoinMark size={17} /> <span className={styles.name}>{SHELL.rCoin}</span>
        <span className={styles.amount}>{formatMoney(user.UserPoint)}</span>
      </Link>
      <span className={styles.part}>
        <MilleageMark size={17} /> <span className={styles.name}>{SHELL.milleage}</span>
        <span className={styles.amount}>{formatMoney(user.UserPoint2)}</span>
      </span>
      <Link to="/shoppingcart" className={`${styles.part} ${styles.cart}`}>
        <Icon name="cart" size={18} /> <span className="visually-hidden">Cart</span>
        <span className={styles.amount}>{lines?.length ?? ''}</span>
      </Link>
    </>
  )
}
