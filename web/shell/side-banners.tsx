import { Link } from '#web/ui/link.tsx'
import styles from './side-banners.module.css'

type BannerProps = { to: string; tone: string | undefined; picture: string; title: string; line: string }

function SideBanner({ to, tone, picture, title, line }: BannerProps) {
  return (
    <Link to={to} className={`${styles.banner} ${tone}`}>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.line}>{line}</span>
      </span>
      <img src={picture} alt="" width="110" height="96" loading="lazy" />
    </Link>
  )
}

/** To the page where voucher codes become R-Coin. */
export function RedeemBanner() {
  return (
    <SideBanner
      to="/topup"
      tone={styles.redeem}
      picture="/art/redeem.svg"
      title="Redeem a code"
      line="Turn it into R-Coin"
    />
  )
}

/** To the shop. */
export function CapsuleBanner() {
  return (
    <SideBanner
      to="/itemshop"
      tone={styles.capsule}
      picture="/art/capsule.svg"
      title="Capsule shop"
      line="Outfits and oddities"
    />
  )
}
