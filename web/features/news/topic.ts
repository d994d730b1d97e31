import type { NewsItem } from '#contract/news.ts'
import { getSharePicturePath } from '#contract/sharing.ts'
import type { Head, Load, PageLocation } from '#web/api/page.ts'
import { findBoardByType, getNewsTopicPath, UNKNOWN_TOPIC_ID } from './news-view.ts'
import { createExcerpt, getNewsBoardQuery, getNewsItemQuery } from './queries.ts'

/** Loads an item and the first page of its board. The document is a 404 if the item does not exist (DOC-7). */
export async function loadTopic(id: number, { site }: Pick<PageLocation, 'site'>, load: Load): Promise<Partial<Head>> {
  const item = id === UNKNOWN_TOPIC_ID ? null : await load(getNewsItemQuery(id))
  if (item === null) return { hidden: true, status: 404 }
  await load(getNewsBoardQuery(findBoardByType(item.type).key, 1))
  return createTopicHead(item, site.publicUrl)
}

/** Returns an item's picture for link previews, for a default drawing its wide JPEG; undefined if it is on another site. */
export function getSharePicture(thumbnail: string | null): string | undefined {
  if (thumbnail === null || !thumbnail.startsWith('/')) return undefined
  return thumbnail.replace(/^(\/art\/news-\d+)\.webp$/, '$1-share.jpg')
}

/**
 * Returns the head of an item's page, with its structured data as a schema.org NewsArticle. The canonical path is /news?topic=,
 * for /topic/ too. `siteUrl` makes addresses absolute.
 */
export function createTopicHead(item: NewsItem, siteUrl: string) {
  const { subject, author, created_at } = item
  const description = createExcerpt(item.content)
  const path = getNewsTopicPath(item.id)
  const jsonLd = {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: subject,
    description,
    ...(created_at && { datePublished: created_at }),
    author: { '@type': 'Person', name: author },
    image: [siteUrl + (getSharePicture(item.img_thumbnail) ?? '/art/share.png')],
    mainEntityOfPage: siteUrl + path,
  }
  const picture = getSharePicturePath('news', item.id)
  return { crumb: subject, description, picture, path, type: 'article', jsonLd } satisfies Partial<Head>
}
