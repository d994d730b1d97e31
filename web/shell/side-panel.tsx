import { useLocation } from 'react-router'
import { LeftMenuPanel } from './left-menu.tsx'
import { MemberCard } from './member-card.tsx'
import { NewcomerPanel } from './newcomer-panel.tsx'
import { ResetCard } from './reset-card.tsx'
import { sectionOf } from './sections.ts'
import { CapsuleBanner, RedeemBanner } from './side-banners.tsx'
import styles from './side-panel.module.css'
import { DownloadBoard, InstructionsBoard } from './signboards.tsx'

/** The column at the left (below the content on small screens). The home page has its card and boards on the stage. */
export function SidePanel() {
  const section = sectionOf(useLocation().pathname)
  if (section === 'home') {
    return (
      <aside className={`${styles.side} ${styles.home}`} aria-label="Side panel">
        <RedeemBanner />
        <CapsuleBanner />
        <div className={styles.desktop}>
          <NewcomerPanel />
        </div>
      </aside>
    )
  }
  return (
    <aside className={styles.side} aria-label="Side panel">
      <div className={styles.desktop}>
        <MemberCard />
      </div>
      <LeftMenuPanel section={section} className={styles.across} />
      <DownloadBoard />
      <InstructionsBoard tone="ink" />
      {(section === 'rankings' || section === 'news') && (
        <div className={styles.across}>
          <ResetCard tone="ink" />
        </div>
      )}
      {section !== 'recharge' && <RedeemBanner />}
      <CapsuleBanner />
    </aside>
  )
}
