/** Loads pages. The browser does not need this code on a first visit, because the document contains the data. */
import type { QueryClient } from '@tanstack/react-query'
import { nameCurrencies } from '#contract/currencies.ts'
import type { Call } from '#contract/endpoint.ts'
import { type Head, type Load, type Page, type PageLocation, pickDeclaredQuery } from './page.ts'
import { toOptions } from './queries.ts'

/** Declares a page and checks that its loader receives the type of its search parameters. */
export function page<Search = Record<never, never>>(declaration: Page<Search>): Page {
  return declaration as Page
}

/** Returns the page at a path with its parameters; undefined if no page matches. */
export function findPage(pages: readonly Page[], pathname: string) {
  const segments = pathname.replace(/\/+$/, '').split('/').slice(1)
  for (const page of pages) {
    const pattern = page.path === '/' ? [] : page.path.split('/').slice(1)
    if (pattern.length !== segments.length) continue
    const params: Record<string, string> = {}
    const isMatch = pattern.every((part, index) => {
      const segment = segments[index] ?? ''
      if (!part.startsWith(':')) return part === segment.toLowerCase()
      params[part.slice(1)] = decodeSafely(segment)
      return true
    })
    if (isMatch) return { page, params }
  }
  return undefined
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type PageMatch = { page: Page; params: Record<string, string> }
type PageContext = { url: URL; site: PageLocation['site'] }

const toPageLocation = ({ page, params }: PageMatch, { url, site }: PageContext): PageLocation => ({
  pathname: url.pathname,
  params,
  search: page.search?.read(pickDeclaredQuery(page.search.names, url.searchParams)),
  site,
})

/** Returns the head of a page before its data is loaded. */
export function buildHead(match: PageMatch, context: PageContext): Head {
  const { crumb, description, path, listing, head } = match.page
  const { currencies } = context.site
  return {
    crumb: nameCurrencies(crumb, currencies),
    description: nameCurrencies(description, currencies),
    path,
    hidden: listing === 'noindex',
    ...head?.(toPageLocation(match, context)),
  }
}

/**
 * Loads a page's data into `client` and returns its head.
 *
 * @throws the errors of its calls
 */
export async function loadPage(
  match: PageMatch,
  context: PageContext,
  client: QueryClient,
  call?: Call,
): Promise<Head> {
  const load: Load = (query, options) =>
    client.fetchQuery({ ...toOptions(query, call), ...(options?.fresh && { staleTime: 0 }) })
  const loadedHead = await match.page.loads?.(toPageLocation(match, context), load)
  return { ...buildHead(match, context), ...loadedHead }
}
