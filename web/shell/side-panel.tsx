import { useLocation } from 'react-router'
import { firstSegment } from '#web/api/page.ts'
import { sectionOf } from '#web/pages.ts'
import { LeftMenuPanel } from './left-menu.tsx'
import { MemberCard } from './member-card.tsx'
import { NewcomerPanel } from './newcomer-panel.tsx'
import { ResetCard } from './reset-card.tsx'
import { CapsuleBanner, RedeemBanner } from './side-banners.tsx'
import styles from './side-panel.module.css'
import { CartPlace, PlayersScroller, ScrollerPlace } from './side-places.tsx'
import { DownloadBoard, InstructionsBoard } from './signboards.tsx'

/** Pages that are themselves the way in: a second login form beside theirs would only confuse password managers. */
const WAYS_IN = new Set(['login', 'register', 'findaccount', 'resetpassword'])

/** The column at the left (below the content on small screens). The home page has its card and boards on the stage. */
export function SidePanel() {
  const { pathname } = useLocation()
  const section = sectionOf(pathname)
  const segment = firstSegment(pathname)
  if (section === 'home') {
    return (
      <aside className={`${styles.side} ${styles.home}`} aria-label="Side panel">
        <RedeemBanner />
        <CapsuleBanner />
        <div className={styles.desktop} data-for="guest">
          <NewcomerPanel />
        </div>
        <div className={styles.desktop} data-for="player">
          <PlayersScroller className={styles.rest} />
        </div>
      </aside>
    )
  }
  return (
    <aside className={styles.side} aria-label="Side panel">
      {!WAYS_IN.has(segment) && (
        <div className={styles.desktop}>
          <MemberCard />
        </div>
      )}
      {(section === 'shop' || section === 'recharge') && segment !== 'shoppingcart' && (
        <div className={styles.across} data-for="player">
          <CartPlace />
        </div>
      )}
      <LeftMenuPanel section={section} className={styles.across} />
      <DownloadBoard />
      <InstructionsBoard tone="ink" />
      {(section === 'rankings' || section === 'news') && (
        <div className={styles.across}>
          <ResetCard tone="ink" />
        </div>
      )}
      {section !== 'recharge' && segment !== 'itemshop' && <RedeemBanner />}
      {segment !== 'itemshop' && <CapsuleBanner />}
      {section !== 'shop' && (
        <div className={styles.across}>
          <ScrollerPlace />
        </div>
      )}
    </aside>
  )
}
