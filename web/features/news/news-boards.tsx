import { usePageSearch } from '#web/api/page.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { NEWS_BOARDS, newsSearch, pageOf } from './boards.ts'
import { NewsBoardPanel } from './news-board-panel.tsx'
import styles from './news-boards.module.css'

/** The three stacked boards of the news list (SPEC §2.8). */
export function NewsBoards({ renderedAt }: { renderedAt: number }) {
  const { view } = usePageSearch(newsSearch)
  return (
    <>
      <PageHead
        crumb="News"
        title="News"
        lines={['Notices, events and guides, straight from the people who run the server.']}
      />
      <div className={styles.boards}>
        {NEWS_BOARDS.map((board, index) => (
          <NewsBoardPanel
            key={board.key}
            board={board}
            index={index + 1}
            page={pageOf(board.key, view)}
            renderedAt={renderedAt}
          />
        ))}
      </div>
    </>
  )
}
