import { Link } from '#web/ui/link.tsx'
import styles from './side-banners.module.css'

type BannerProps = {
  to: string
  tone: string | undefined
  picture: string
  title: string
  line: string
  size: BannerSize | undefined
}

/** `wide` is for the content column, under the shop's shelf. */
type BannerSize = 'side' | 'wide'

function SideBanner({ to, tone, picture, title, line, size = 'side' }: BannerProps) {
  return (
    <Link to={to} className={`${styles.banner} ${styles[size]} ${tone}`}>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.line}>{line}</span>
      </span>
      <img src={picture} alt="" width="110" height="96" loading="lazy" />
    </Link>
  )
}

/** To the page where voucher codes become R-Coin. */
export function RedeemBanner({ size }: { size?: BannerSize }) {
  return (
    <SideBanner
      size={size}
      to="/topup"
      tone={styles.redeem}
      picture="/art/redeem.svg"
      title="Redeem a code"
      line="Turn it into R-Coin"
    />
  )
}

/** To the shop; inside the shop, to what is called a capsule. */
export function CapsuleBanner({ size }: { size?: BannerSize }) {
  return (
    <SideBanner
      size={size}
      to={size === 'wide' ? '/itemshop?category=0&q=capsule' : '/itemshop'}
      tone={styles.capsule}
      picture="/art/capsule.svg"
      title="Capsule shop"
      line="Outfits and oddities"
    />
  )
}
