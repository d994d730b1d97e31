import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import type { NewsItem } from '#contract/news.ts'
import { browserClient } from '#web/api/client.ts'
import { packQueries, unpackQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, type PageData, serverLoad } from '#web/api/page-data.ts'
import { browserQueries } from '#web/api/query-client.ts'
import { boardOfType } from './boards.ts'
import { newsBoardQuery, newsItemQuery } from './queries.ts'
import { type TopicHead, topicHeadOf } from './topic-head.ts'

/** An id that no item has: what the address asks for when it names something that is not a number. */
export const NO_SUCH_TOPIC = 0

export type TopicData = PageData & {
  /** The item's id, NO_SUCH_TOPIC, or null where the page is the list. */
  topic: number | null
  head: TopicHead | null
}

const moreQueryOf = (item: NewsItem) => newsBoardQuery(boardOfType(item.type).key, 1)

/** The server's loader of an item: the item, its neighbours in the list, and 404 when there is none (DECISIONS §3). */
export async function serverLoadTopic(args: LoaderFunctionArgs, topic: number) {
  const empty: PageData = await serverLoad(() => [])(args)
  const own = topic === NO_SUCH_TOPIC ? empty : await serverLoad(() => [newsItemQuery(topic)])(args)
  const found = unpackQueries(own.dehydrated)
  const item = (found[0]?.state.data ?? null) as NewsItem | null
  const more = item === null ? empty : await serverLoad(() => [moreQueryOf(item)])(args)
  const dehydrated = packQueries([...found, ...unpackQueries(more.dehydrated)])
  const page: TopicData = { ...own, dehydrated, topic, head: item && topicHeadOf(item) }
  return data(page, { status: item === null ? 404 : 200 })
}

/** The browser's loader of an item, on a change of page. */
export async function browserLoadTopic(args: ClientLoaderFunctionArgs, topic: number): Promise<TopicData> {
  const page = await browserLoad(() => (topic === NO_SUCH_TOPIC ? [] : [newsItemQuery(topic)]))(args)
  const item = browserQueries().getQueryData(newsItemQuery(topic)(browserClient).queryKey) ?? null
  if (item) await browserLoad(() => [moreQueryOf(item)])(args)
  return { ...page, topic, head: item && topicHeadOf(item) }
}
