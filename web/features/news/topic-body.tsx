import type { NewsItem } from '#contract/news.ts'
import { usePageSearch } from '#web/api/page.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { boardOfType, newsPath, newsSearch } from './boards.ts'
import { MoreNews } from './more-news.tsx'
import { RelativeTime } from './relative-time-text.tsx'
import styles from './topic-body.module.css'

type Props = { item: NewsItem; renderedAt: number }

/** An item that is there: its head, its picture and its text, and what else its board has. */
export function TopicBody({ item, renderedAt }: Props) {
  const board = boardOfType(item.type)
  // The list page that the item was opened from: the first, unless `category` and `page` say otherwise (SPEC §2.1).
  const wayBack = newsPath(usePageSearch(newsSearch).view)
  return (
    <>
      <PageHead
        crumb={board.title}
        title={item.subject}
        lines={[
          <span key="byline" className={styles.byline}>
            <span className={styles.author}>{item.author}</span>
            <RelativeTime iso={item.created_at} renderedAt={renderedAt} />
          </span>,
        ]}
      />
      <div className={styles.topic}>
        <Panel>
          <article className={styles.article}>
            {item.IsShowThumbnail === 1 && item.img_thumbnail && (
              <img
                className={styles.thumbnail}
                src={item.img_thumbnail}
                alt=""
                width="450"
                height="300"
                fetchPriority="high"
              />
            )}
            <div className={styles.content} dangerouslySetInnerHTML={{ __html: item.content }} />
            <footer className={styles.foot}>
              <ButtonLink to={wayBack} tone="secondary">
                Back to the list
              </ButtonLink>
            </footer>
          </article>
        </Panel>
        <MoreNews board={board} exceptId={item.id} renderedAt={renderedAt} />
      </div>
    </>
  )
}
