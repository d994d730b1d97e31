import type { ShopItem } from '#contract/shop.ts'
import styles from './ribbon.module.css'

/** The ribbon of a new, hot or cheaper item: its picture, and its word as text upon it. */
export function Ribbon({ item }: { item: Pick<ShopItem, 'ribbon' | 'ribbon_label'> }) {
  if (item.ribbon === null) return null
  const isDark = item.ribbon.endsWith('/ribbon-hot.svg')
  return (
    <span className={isDark ? styles.dark : styles.light}>
      <img src={item.ribbon} alt="" width="58" height="22" />
      {item.ribbon_label !== null && <span className={styles.word}>{item.ribbon_label}</span>}
    </span>
  )
}
