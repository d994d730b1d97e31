import type { NewsItem } from '#contract/news.ts'
import type { Head } from '#web/api/page.ts'
import { topicPath } from './boards.ts'
import { excerptOf } from './excerpt.ts'

/** The share version of a news picture: messengers know no WebP. Other pictures are their own. */
export function sharePictureOf(thumbnail: string | null): string | undefined {
  if (thumbnail === null || !thumbnail.startsWith('/')) return undefined
  return thumbnail.replace(/^(\/art\/news-\d+)\.webp$/, '$1-share.jpg')
}

/**
 * The head of an item's page, with the item in the words of schema.org. Both of its addresses name the same canonical
 * one; `siteUrl` makes addresses absolute.
 */
export function topicHead(item: NewsItem, siteUrl: string) {
  const { subject, author, created_at } = item
  const description = excerptOf(item.content)
  const picture = sharePictureOf(item.img_thumbnail)
  const path = topicPath(item.id)
  const jsonLd = {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: subject,
    description,
    ...(created_at && { datePublished: created_at }),
    author: { '@type': 'Person', name: author },
    image: [siteUrl + (picture ?? '/art/share.png')],
    mainEntityOfPage: siteUrl + path,
  }
  return { crumb: subject, description, picture, path, type: 'article', jsonLd } satisfies Partial<Head>
}
