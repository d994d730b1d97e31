import { TabLinks } from '#web/ui/tabs.tsx'
import { NEWS_BOARDS } from '../news/boards.ts'
import styles from './home-news.module.css'
import { type HomeView, homePath } from './home-view.ts'
import { NewsBox } from './news-box.tsx'

const FIRST_INDEX = 3

type Props = { view: HomeView; renderedAt: number }

/** The three news boxes of the news home (SPEC §2.8): side by side on a desktop, one box with tabs on a phone. */
export function HomeNews({ view, renderedAt }: Props) {
  const tabs = NEWS_BOARDS.map(({ key, title }) => ({ key, label: title, to: homePath({ ...view, box: key }) }))
  return (
    <div className={styles.news} data-wide id="news-boxes">
      <div className={styles.tabs}>
        <TabLinks label="News boxes" tabs={tabs} current={view.box} panelId="news-boxes" />
      </div>
      {NEWS_BOARDS.map((board, index) => (
        <div key={board.key} className={styles[board.key]} data-open={board.key === view.box}>
          <NewsBox board={board} index={FIRST_INDEX + index} renderedAt={renderedAt} />
        </div>
      ))}
    </div>
  )
}
