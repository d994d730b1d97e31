import styles from './bottom-bar.module.css'
import { useCartLines } from './purse.tsx'

/** The number of entries in a player's cart. A file of its own, because only players' phones fetch it. */
export function CartCount() {
  const lines = useCartLines()
  return lines === undefined || lines.length === 0 ? null : (
    <span className={styles.count}>
      {lines.length}
      <span className="visually-hidden"> in your cart</span>
    </span>
  )
}
