import { CapsuleBanner, RedeemBanner } from '#web/shell/side-panel.tsx'
import styles from './shop-banners.module.css'

/** The side panel's two banners (SPEC §2.3), which stand large under the shelf while one is in the shop. */
export function ShopBanners() {
  return (
    <div className={styles.banners}>
      <CapsuleBanner size="wide" />
      <RedeemBanner size="wide" />
    </div>
  )
}
