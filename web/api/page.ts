import { useSyncExternalStore } from 'react'
import { useLocation, useNavigation, useRouteLoaderData } from 'react-router'
import type { CurrencyNames } from '#contract/currencies.ts'
import type { Query } from './queries.ts'

/** The part of the site that a page belongs to. It selects the current menu entry and the left menu (SHELL-7). */
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
  /** The canonical address: a path with its significant parameters. */
  path: string
  /**
   * The address of the picture for shared links, 1200×630 as JPEG. It can be any picture of the site, because the
   * server completes it (SHARE-1).
   */
  picture?: string | undefined
  /** The picture's alternative text if it differs from the title. */
  pictureAlt?: string
  type?: 'website' | 'article'
  /** The title of link previews if it differs from the crumb. */
  shareTitle?: string
  jsonLd?: Record<string, unknown>
  /** Whether search engines should leave the page out. */
  hidden?: boolean
  /** The document's status, 200 by default. */
  status?: number
}

/** The context of a page: its address and the site. */
export type PageLocation<Search = unknown> = {
  pathname: string
  params: Record<string, string | undefined>
  search: Search
  site: { appName: string; publicUrl: string; currencies: CurrencyNames }
}

/** Loads a query's value into the page's cache and returns it. `fresh` ignores a cached copy. */
export type Load = <Value>(query: Query<Value>, options?: { fresh: true }) => Promise<Value>

/** A page of the site: the data from which routes, titles, guards, menus, the sitemap and cache keys are built. */
export type Page<Search = unknown> = {
  /** The path, with parameters as in `/topic/:id`. */
  path: string
  /** The module with the page's component, relative to `web/`. */
  file: string
  /** The page's name in breadcrumbs, in the title, and in menus without a different label. */
  crumb: string
  description: string
  section: Section
  /** Pages for `players` send guests to /login; pages for `guests` send players to the home page (ROUTE-1, ROUTE-5). */
  access: 'all' | 'players' | 'guests'
  /**
   * The search parameters that the rendering reads. All other parameters are removed from the page and its cache key.
   */
  search?: SearchSpec<Search>
  /** Search parameters that only the browser reads. One document serves them all. */
  browserSearch?: SearchSpec<unknown>
  /** Loads the page's data. The result is merged into the head. */
  loads?: (where: PageLocation<Search>, load: Load) => Promise<Partial<Head> | undefined>
  /** The head's fields other than crumb and description. */
  head?: (where: PageLocation<Search>) => Partial<Head>
  /**
   * The time that a navigation waits for the page's data before it shows skeletons, in ms. By default it waits without
   * limit.
   */
  patienceMs?: number
  /**
   * `sitemap`: the page is in the sitemap; `unlisted`: search engines may find it; `noindex`: they must not list it.
   */
  listing: 'sitemap' | 'unlisted' | 'noindex'
}

/** The names of an address's search parameters, and a function to parse them. */
export type SearchSpec<Search> = { names: readonly string[]; read: (query: URLSearchParams) => Search }

/** Returns the first segment of a path in lower case, because any letter case is accepted (ROUTE-3). */
export function getFirstSegment(pathname: string): string {
  return pathname.split('/')[1]?.toLowerCase() ?? ''
}

/** Returns the id in a part of an address. For text that is no number it returns 0, which is never an id. */
export const readId = (text: string | undefined): number =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0

/** Returns the number in a parameter of an address; undefined for a text that is not one to nine digits. */
export const readWholeNumber = (text: string | null | undefined): number | undefined =>
  text != null && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** Returns only the declared parameters of an address, in a fixed order. */
export function pickDeclaredQuery(names: readonly string[], query: URLSearchParams): URLSearchParams {
  const entries = [...names].sort().flatMap((name) => query.getAll(name).map((value) => [name, value]))
  return new URLSearchParams(entries)
}

/** Returns the parsed search parameters of a page. Do not read them in another way. */
export function usePageSearch<Search>({ names, read }: SearchSpec<Search>): Search {
  const { search } = useLocation()
  return read(pickDeclaredQuery(names, new URLSearchParams(search)))
}

/**
 * Returns the parsed search parameters of the address that is loading if it belongs to this page, otherwise of the
 * current one. Use it for links that add a parameter: a second click then preserves the effect of a first click that is
 * still loading.
 */
export function usePendingSearch<Search>({ names, read }: SearchSpec<Search>): Search {
  const currentLocation = useLocation()
  const nextLocation = useNavigation().location
  const { search } = nextLocation?.pathname === currentLocation.pathname ? nextLocation : currentLocation
  return read(pickDeclaredQuery(names, new URLSearchParams(search)))
}

/** Returns the time in ms at which the page's data was loaded. For a rendered document it is the time on the server. */
export function useRenderedAt(): number {
  return useRouteLoaderData<{ renderedAt: number }>('layout')?.renderedAt ?? 0
}

const subscribeToNothing = () => () => undefined

/** Returns false on the server and in the first rendering, then true. Use it for state that only the browser has. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}
