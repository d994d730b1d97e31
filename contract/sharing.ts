/** The kinds of pages that have a picture with their title and facts for shared links. */
export const SHARED_KINDS = ['news', 'event', 'wars', 'month', 'season', 'tournament', 'league', 'club'] as const
export type SharedKind = (typeof SHARED_KINDS)[number]

/** The kinds of pages for which the desk prepares posts. */
export const POSTED_KINDS = ['news', 'event', 'month', 'league'] as const satisfies readonly SharedKind[]
export type PostedKind = (typeof POSTED_KINDS)[number]

const PAGE_PATHS: Record<PostedKind, (page: string) => string> = {
  news: (page) => `/news?topic=${page}`,
  event: (page) => `/events/${page}`,
  month: (page) => `/rankings?period=${page}`,
  league: (page) => `/wars/${page}`,
}

/** Returns the path of the page that a post links to. */
export const getPostPagePath = (kind: PostedKind, page: string): string => PAGE_PATHS[kind](page)

/** The size of the pictures of shared links in pixels: wide, or square for posts. */
export const SHARE_SIZES = { wide: { width: 1200, height: 630 }, square: { width: 1080, height: 1080 } } as const
export type ShareShape = keyof typeof SHARE_SIZES

/** The maximum size of a shared picture in bytes, because messengers load no larger ones (SHARE-1). */
export const SHARE_PICTURE_MAX_BYTES = 300_000

/** Returns the address of the picture of a page. `id` is a number, or a month such as '2026-10'. */
export const getSharePicturePath = (kind: SharedKind, id: number | string) => `/share/${kind}/${id}.jpg`

/** The address of the picture for the page of wars, which has no id. */
export const WARS_PICTURE = getSharePicturePath('wars', 0)

/** The address of the picture for shared pages that have no other picture. */
export const DEFAULT_PICTURE = '/art/share.jpg'
