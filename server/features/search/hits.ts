import type { CallAnswer } from '#contract/endpoint.ts'
import { getForumPostPath } from '#contract/forum.ts'
import type { getSearch, SearchKind, SearchRank } from '#contract/search.ts'
import type { CharacterRow, GuideRow, ItemRow, NewsRow, PostRow } from './queries.ts'
import { addEllipses, markBeginning, toParts } from './ts-query.ts'

/** A search result in the response. */
export type Hit = CallAnswer<typeof getSearch>['data'][number]

const NULL_FIELDS = { news: null, item: null, character: null, post: null }

/** Converts a news item to a search result. A news item that is a guide is listed with the guides. */
export function toNewsHit(row: NewsRow, kind: SearchKind): Hit {
  return {
    ...NULL_FIELDS,
    kind,
    path: `/news?topic=${row.id}`,
    title: toParts(row.title),
    excerpt: addEllipses(toParts(row.passage), row),
    news: { type: row.type, created_at: row.created_at },
  }
}

/** Converts a guide or another page of the site to a search result. */
export function toGuideHit(row: GuideRow): Hit {
  return { ...NULL_FIELDS, kind: 'guides', path: row.path, title: toParts(row.title), excerpt: toParts(row.passage) }
}

/** Converts an item of the shop to a search result. */
export function toItemHit(row: ItemRow): Hit {
  const { price, section, icon, image_url } = row
  return {
    ...NULL_FIELDS,
    kind: 'items',
    path: `/itemshop/${row.product_num}`,
    title: toParts(row.title),
    excerpt: toParts(row.passage),
    item: { price, section, icon, image_url },
  }
}

/** Converts a forum post to a search result. @param author the author's name */
export function toPostHit(row: PostRow, author: string): Hit {
  return {
    ...NULL_FIELDS,
    kind: 'forum',
    path: getForumPostPath(row.category, row.topic, row.number),
    title: toParts(row.title),
    excerpt: addEllipses(toParts(row.passage), row),
    post: { board: row.board, author, at: row.shown_at },
  }
}

/** Converts a character to a search result with a link to its page. */
export function toCharacterHit(row: CharacterRow, query: string, rank: SearchRank | null): Hit {
  return {
    ...NULL_FIELDS,
    kind: 'characters',
    path: `/character/${row.cha_num}`,
    title: markBeginning(row.cha_name, query.length),
    excerpt: [],
    character: { ChaLevel: row.cha_level, ChaClass: row.cha_class, ChaSchool: row.cha_school, place: rank },
  }
}
