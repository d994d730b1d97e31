import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router'
import { browserLoad, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { NEWS_BOARDS, newsPath, pageOf, readNewsView, readTopicId } from './boards.ts'
import { newsBoardQuery } from './queries.ts'
import { topicJsonLd } from './topic-head.ts'
import { browserLoadTopic, NO_SUCH_TOPIC, serverLoadTopic, type TopicData } from './topic-loads.ts'

/** The item that `?topic=` names; 0, the default, and nothing mean the list (SPEC §9). */
function topicOf(url: string): number | null {
  const text = new URL(url).searchParams.get('topic')
  return text === null || text === '' || text === '0' ? null : (readTopicId(text) ?? NO_SUCH_TOPIC)
}

const queriesOf = ({ url }: { url: URL }) => {
  const view = readNewsView(url.searchParams)
  return NEWS_BOARDS.map(({ key }) => newsBoardQuery(key, pageOf(key, view)))
}

export async function serverLoadNews(args: LoaderFunctionArgs) {
  const topic = topicOf(args.request.url)
  if (topic !== null) return serverLoadTopic(args, topic)
  const list: TopicData = { ...(await serverLoad(queriesOf)(args)), topic, head: null }
  return list
}

export async function browserLoadNews(args: ClientLoaderFunctionArgs): Promise<TopicData> {
  const topic = topicOf(args.request.url)
  if (topic !== null) return browserLoadTopic(args, topic)
  return { ...(await browserLoad(queriesOf)(args)), topic, head: null }
}

/** The head of the list, of an item, and of an item that is not there. */
export const newsMeta: MetaFunction<typeof serverLoadNews> = ({ matches, location, loaderData }) => {
  const head = loaderData?.head
  if (!head) {
    return pageMeta(matches, {
      crumb: 'News',
      description:
        'News, events and guides of the server: maintenance, patch notes, club wars and how to get through your first night.',
      path: newsPath(readNewsView(new URLSearchParams(location.search))),
      hidden: loaderData?.topic !== null,
    })
  }
  const { subject, description, picture, path } = head
  const tags = pageMeta(matches, { crumb: subject, description, picture, path, type: 'article' })
  const canonical = tags.find((tag) => 'rel' in tag && tag.rel === 'canonical')
  const url = canonical && 'href' in canonical ? String(canonical.href) : path
  return [...tags, { 'script:ld+json': topicJsonLd(head, url.slice(0, -path.length)) }]
}
