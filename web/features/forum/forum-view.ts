import {
  FORUM_TEXTS,
  getActivity,
  getBoard,
  getBoardPath,
  getForum,
  getForumTopicPath,
  getTopic,
} from '#contract/forum.ts'
import { type Head, type Load, type PageLocation, readId } from '#web/api/page.ts'
import { toCallQuery, usePageQuery } from '#web/api/queries.ts'
import { createExcerpt } from '#web/features/news/queries.ts'

const readPageNumber = (text: string | null) =>
  text !== null && /^\d{1,7}$/.test(text) ? Math.max(1, Number(text)) : 1

/** The view of a board: a page, or the topics that follow the last page. */
export type BoardView = { page: number; before: string | undefined }

/** The parameters of /forum/:category. */
export const boardSearch = {
  names: ['page', 'before'],
  read: (query: URLSearchParams): BoardView => {
    const before = query.get('before')
    return {
      page: readPageNumber(query.get('page')),
      before: before !== null && /^\d{1,17}-\d{1,15}$/.test(before) ? before : undefined,
    }
  },
}

/** The parameter of a topic's page. */
export const topicSearch = {
  names: ['page'],
  read: (query: URLSearchParams) => ({ page: readPageNumber(query.get('page')) }),
}

/** Returns the query of the boards with their newest topics. */
export const getForumQuery = () => toCallQuery(getForum, {})

/** Returns the query of the most active topics and the newest posts. */
export const getForumActivityQuery = () => toCallQuery(getActivity, {})

/** Returns the query of a page of a board, or of the topics that follow its last page. */
export const getBoardQuery = (category: number, { page, before }: BoardView) =>
  toCallQuery(getBoard, before === undefined ? { category, page } : { category, before })

/** Returns the query of a page of a topic's posts. */
export const getTopicQuery = (topic: number, page: number) => toCallQuery(getTopic, { topic, page })

/** Returns the result of a query that the page's loader has fetched. */
export const useLoadedForum = <Value>(query: Parameters<typeof usePageQuery<Value>>[0]) =>
  usePageQuery(query, { refetchOnMount: false, retryOnMount: false, retry: false })

export async function loadForum(_: unknown, load: Load): Promise<undefined> {
  await Promise.all([load(getForumQuery(), { fresh: true }), load(getForumActivityQuery(), { fresh: true })])
  return undefined
}

/** Loads a page of a board. @throws the 404 of the call if the board does not exist */
export async function loadBoard({ params, search }: PageLocation<BoardView>, load: Load): Promise<Partial<Head>> {
  const category = readId(params.category)
  const { board, page } = await load(getBoardQuery(category, search), { fresh: true })
  return {
    crumb: board.name,
    description: board.description === '' ? `${board.name}: a board of the forum.` : board.description,
    path: getBoardPath(category, page),
    hidden: search.before !== undefined,
  }
}

/** Loads a page of a topic. The address of a moved topic under its old board works too. @throws the 404 of the call */
export async function loadForumTopic(
  { params, search, site }: PageLocation<{ page: number }>,
  load: Load,
): Promise<Partial<Head>> {
  const { topic, page, posts } = await load(getTopicQuery(readId(params.topic), search.page), { fresh: true })
  const path = getForumTopicPath(topic.category, topic.topic, page)
  const description = createExcerpt(posts.find(({ html }) => html !== '')?.html ?? '') || FORUM_TEXTS.line
  return {
    crumb: topic.title,
    description,
    path,
    type: 'article',
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'DiscussionForumPosting',
      headline: topic.title,
      text: description,
      datePublished: topic.created_at,
      author: { '@type': 'Person', name: topic.author.name },
      url: site.publicUrl + path,
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/CommentAction',
        userInteractionCount: topic.replies,
      },
    },
  }
}
