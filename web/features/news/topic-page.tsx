import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { readTopicId } from './boards.ts'
import { newsMeta } from './news-loads.ts'
import { TopicArticle } from './topic-article.tsx'
import { browserLoadTopic, NO_SUCH_TOPIC, serverLoadTopic } from './topic-loads.ts'

export const loader = (args: LoaderFunctionArgs) => serverLoadTopic(args, readTopicId(args.params.id) ?? NO_SUCH_TOPIC)
export const clientLoader = (args: ClientLoaderFunctionArgs) =>
  browserLoadTopic(args, readTopicId(args.params.id) ?? NO_SUCH_TOPIC)
export const meta = newsMeta

/** One news item at the address of its own. */
export default function TopicPage() {
  const { dehydrated, renderedAt, topic } = useLoaderData<typeof loader>()
  return (
    <HydrateQueries packed={dehydrated}>
      <TopicArticle topic={topic ?? NO_SUCH_TOPIC} renderedAt={renderedAt} />
    </HydrateQueries>
  )
}
