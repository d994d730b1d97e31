import { useSyncExternalStore } from 'react'
import { useLocation, useNavigation, useRouteLoaderData } from 'react-router'
import type { CurrencyNames } from '#contract/currencies.ts'
import type { Query } from './queries.ts'

/** The part of the site a page belongs to: it lights a menu entry and chooses the left menu (SHELL-7). */
export type Section =
  | 'home'
  | 'news'
  | 'guide'
  | 'shop'
  | 'gallery'
  | 'rankings'
  | 'download'
  | 'support'
  | 'forum'
  | 'account'
  | 'recharge'
  | 'other'

/** The head of a document: title, description, canonical address, share preview. */
export type Head = {
  /** The first half of the title, '{crumb} | {app name}' (DOC-3). */
  crumb: string
  description: string
  /** The canonical address: a path with the parameters that belong to it. */
  path: string
  /**
   * The address of the picture for shared links, 1200×630 as JPEG. The server completes it (SHARE-1), so it may be any
   * picture of the site.
   */
  picture?: string | undefined
  /** The picture's alternative text, if it is not the title. */
  pictureAlt?: string
  type?: 'website' | 'article'
  /** The title of previews elsewhere, where it is not the crumb. */
  shareTitle?: string
  jsonLd?: Record<string, unknown>
  /** Whether search engines should leave the page out. */
  hidden?: boolean
  /** The document's status, 200 by default. */
  status?: number
}

/** The context of a page: its address, and the site. */
export type Where<Search = unknown> = {
  pathname: string
  params: Record<string, string | undefined>
  search: Search
  site: { appName: string; publicUrl: string; currencies: CurrencyNames }
}

/** Loads a query's value into the page's cache and gives it back; `fresh` even if a cached copy is fresh. */
export type Load = <Value>(query: Query<Value>, options?: { fresh: true }) => Promise<Value>

/** One page of the site: everything that routes, titles, guards, menus, sitemap and cache keys need to know. */
export type Page<Search = unknown> = {
  /** The path, with parameters as in `/topic/:id`. */
  path: string
  /** The module with the page's component, from `web/`. */
  file: string
  /** The page's name: in its trail, in the title, and in menus that have no other word for it. */
  crumb: string
  description: string
  section: Section
  /** Players' pages send guests to /login, guests' pages send players home (ROUTE-1, ROUTE-5). */
  access: 'all' | 'players' | 'guests'
  /** The search parameters that the rendering reads. No other one reaches the page or its cache key. */
  search?: SearchSpec<Search>
  /** Parameters that only the browser reads; one document serves them all. */
  browserSearch?: SearchSpec<unknown>
  /** Loads the page's data. Its result is added to the head. */
  loads?: (where: Where<Search>, load: Load) => Promise<Partial<Head> | undefined>
  /** The head's fields other than crumb and description. */
  head?: (where: Where<Search>) => Partial<Head>
  /** Milliseconds that a change of page waits for its data; after them the page shows its skeletons. By default it waits. */
  patienceMs?: number
  /** `sitemap`: search engines are shown the page; `unlisted`: they may find it; `noindex`: they should leave it out. */
  listing: 'sitemap' | 'unlisted' | 'noindex'
}

/** The search parameters of an address and their parser. */
export type SearchSpec<Search> = { names: readonly string[]; read: (query: URLSearchParams) => Search }

/** The first segment of a path, in lower case: any letter case is accepted (ROUTE-3). */
export function firstSegment(pathname: string): string {
  return pathname.split('/')[1]?.toLowerCase() ?? ''
}

/** The number in a part of an address; 0, which nothing of the site has, for anything else. */
export const numberIn = (text: string | undefined): number =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0

/** The number, of at most nine digits, in a parameter of an address; undefined for anything else. */
export const wholeNumberIn = (text: string | null | undefined): number | undefined =>
  text != null && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** The declared parameters of an address, in a fixed order; every other one is dropped. */
export function declaredQuery(names: readonly string[], query: URLSearchParams): URLSearchParams {
  const declared = [...names].sort().flatMap((name) => query.getAll(name).map((value) => [name, value]))
  return new URLSearchParams(declared)
}

/** Returns the search parameters of a page, as parsed; there is no other way to read them. */
export function usePageSearch<Search>({ names, read }: SearchSpec<Search>): Search {
  const { search } = useLocation()
  return read(declaredQuery(names, new URLSearchParams(search)))
}

/**
 * As `usePageSearch`, but for the address that is being opened, if it is this page's. Links that add to the present
 * choice build on it; otherwise a second choice would undo one that is still loading.
 */
export function useComingSearch<Search>({ names, read }: SearchSpec<Search>): Search {
  const here = useLocation()
  const coming = useNavigation().location
  const { search } = coming?.pathname === here.pathname ? coming : here
  return read(declaredQuery(names, new URLSearchParams(search)))
}

/** When the page's data was loaded, in ms: on the server when the document was rendered. */
export function useRenderedAt(): number {
  return useRouteLoaderData<{ renderedAt: number }>('layout')?.renderedAt ?? 0
}

const never = () => () => undefined

/** False on the server and in the first rendering, then true: for state that only the browser has. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
