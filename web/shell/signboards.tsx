import { SHELL_TEXTS } from '#contract/messages.ts'
import { useDocument } from '#web/api/documents.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { Icon } from '#web/ui/icon.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import { getSiteQuery } from './shell-data.ts'
import styles from './signboards.module.css'

type BoardProps = { className?: string | undefined }

/**
 * Links to the download, the first step of newcomers. On a phone, it lets players send the link to a computer (DOWNLOAD-4).
 */
export function DownloadBoard({ className }: BoardProps) {
  const frame = useDocument('frame')
  return (
    <Signboard
      to="/downloads"
      tone="yellow"
      icon={<Icon name="download" size={40} weight={3.2} />}
      title="Download"
      line={
        <>
          <span className={layout.wideOnly}>{frame?.download}</span>
          <span className={layout.narrowOnly}>{SHELL_TEXTS.sendLink}</span>
        </>
      }
      className={className}
    />
  )
}

/** Links to the game guide. */
export function InstructionsBoard() {
  const frame = useDocument('frame')
  if (usePageQuery(getSiteQuery()).data?.preparing.includes('/instructions')) return null
  return (
    <Signboard
      to="/instructions"
      tone="paper"
      icon={<Icon name="book" size={32} />}
      title="Instructions"
      line={frame?.instructions ?? ''}
    />
  )
}

type BannerProps = {
  to: string
  tone: string | undefined
  picture: string
  title: string
  line: string
  className?: string | undefined
}

function SideBanner({ to, tone, picture, title, line, className = '' }: BannerProps) {
  return (
    <Link to={to} className={`${styles.banner} ${tone} ${className}`}>
      <span className={layout.stack2}>
        <span className={styles.title}>{title}</span>
        <span className={styles.line}>{line}</span>
      </span>
      <img src={useArt(picture)} alt="" width="110" height="96" loading="lazy" />
    </Link>
  )
}

/** Links to the page where players redeem voucher codes. */
export function RedeemBanner({ className }: BoardProps) {
  const frame = useDocument('frame')
  return (
    <SideBanner
      className={className}
      to="/topup"
      tone={styles.redeem}
      picture="/art/redeem.svg"
      title="Redeem a code"
      line={frame?.redeem ?? ''}
    />
  )
}

/** Links to the capsule shop. */
export function CapsuleBanner({ className }: BoardProps) {
  const frame = useDocument('frame')
  return (
    <SideBanner
      className={className}
      to="/capsuleshop"
      tone={styles.capsule}
      picture="/art/capsule.svg"
      title="Capsule shop"
      line={frame?.capsules ?? ''}
    />
  )
}
