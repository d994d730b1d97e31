import { usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { newsSearch } from './boards.ts'
import { NewsBoards } from './news-boards.tsx'
import { TopicArticle } from './topic-article.tsx'

/** The news list; with `?topic=` the one item (SPEC §2.1). */
export default function NewsPage() {
  const renderedAt = useRenderedAt()
  const { topic } = usePageSearch(newsSearch)
  return topic === null ? (
    <NewsBoards renderedAt={renderedAt} />
  ) : (
    <TopicArticle topic={topic} renderedAt={renderedAt} />
  )
}
