import { usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { ResetCard } from '#web/shell/reset-card.tsx'
import { ClubAreas } from './club-areas.tsx'
import { HomeNews } from './home-news.tsx'
import styles from './home-page.module.css'
import { HomeRanking } from './home-ranking.tsx'
import { homeSearch } from './home-view.ts'
import { SocialSign } from './social-sign.tsx'

/** The content zone of the home page; the hero and the side column are the shell's. */
export default function HomePage() {
  const view = usePageSearch(homeSearch)
  const renderedAt = useRenderedAt()
  return (
    <>
      <div className={styles.top}>
        <HomeRanking view={view} />
        <div className={styles.side}>
          <ClubAreas />
          <ResetCard tone="paper" />
          <SocialSign />
        </div>
      </div>
      <HomeNews view={view} renderedAt={renderedAt} />
    </>
  )
}
