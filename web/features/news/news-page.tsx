import { useLoaderData } from 'react-router'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { NewsBoards } from './news-boards.tsx'
import { browserLoadNews, newsMeta, serverLoadNews } from './news-loads.ts'
import { TopicArticle } from './topic-article.tsx'

export const loader = serverLoadNews
export const clientLoader = browserLoadNews
export const meta = newsMeta

/** The news list; with `?topic=` the one item (SPEC §2.1). */
export default function NewsPage() {
  const { dehydrated, renderedAt, topic } = useLoaderData<typeof loader>()
  return (
    <HydrateQueries packed={dehydrated}>
      {topic === null ? <NewsBoards renderedAt={renderedAt} /> : <TopicArticle topic={topic} renderedAt={renderedAt} />}
    </HydrateQueries>
  )
}
