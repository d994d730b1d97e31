import { HydrationBoundary } from '@tanstack/react-query'
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, useLoaderData } from 'react-router'
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
    <HydrationBoundary state={dehydrated}>
      <TopicArticle topic={topic ?? NO_SUCH_TOPIC} renderedAt={renderedAt} />
    </HydrationBoundary>
  )
}
