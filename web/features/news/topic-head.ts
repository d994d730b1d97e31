import type { NewsItem } from '#contract/news.ts'
import { topicPath } from './boards.ts'
import { excerptOf } from './excerpt.ts'

/** What the document's head says about an item. */
export type TopicHead = {
  subject: string
  description: string
  author: string
  publishedAt: string | null
  picture: string | undefined
  path: string
}

/** The share version of a news picture: messengers know no WebP. Other pictures are their own. */
export function sharePictureOf(thumbnail: string | null): string | undefined {
  if (thumbnail === null || !thumbnail.startsWith('/')) return undefined
  return thumbnail.replace(/^(\/art\/news-\d+)\.webp$/, '$1-share.jpg')
}

/** The head of an item's page. Both of its addresses name the same canonical one. */
export function topicHeadOf(item: NewsItem): TopicHead {
  return {
    subject: item.subject,
    description: excerptOf(item.content),
    author: item.author,
    publishedAt: item.created_at,
    picture: sharePictureOf(item.img_thumbnail),
    path: topicPath(item.id),
  }
}

/** The item in the words of schema.org. `siteUrl` makes its addresses absolute. */
export function topicJsonLd(head: TopicHead, siteUrl: string): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: head.subject,
    description: head.description,
    ...(head.publishedAt && { datePublished: head.publishedAt }),
    author: { '@type': 'Person', name: head.author },
    image: [siteUrl + (head.picture ?? '/art/share.png')],
    mainEntityOfPage: siteUrl + head.path,
  }
}
