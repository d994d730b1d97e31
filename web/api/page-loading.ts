/** Code that loads a page. A first visit does not need it, because the document contains the data. */
import type { QueryClient } from '@tanstack/react-query'
import { nameCurrencies } from '#contract/currencies.ts'
import type { Call } from '#contract/endpoint.ts'
import { declaredQuery, type Head, type Load, type Page, type Where } from './page.ts'
import { toOptions } from './queries.ts'

/** Declares a page. Its search parameters have the type that its loader receives. */
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
    const matches = pattern.every((part, index) => {
      const segment = segments[index] ?? ''
      if (!part.startsWith(':')) return part === segment.toLowerCase()
      params[part.slice(1)] = safelyDecoded(segment)
      return true
    })
    if (matches) return { page, params }
  }
  return undefined
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Found = { page: Page; params: Record<string, string> }
type Around = { url: URL; site: Where['site'] }

const toWhere = ({ page, params }: Found, { url, site }: Around): Where => ({
  pathname: url.pathname,
  params,
  search: page.search?.read(declaredQuery(page.search.names, url.searchParams)),
  site,
})

/** Returns the head of a page before its data is loaded. */
export function buildHead(found: Found, around: Around): Head {
  const { crumb, description, path, listing, head } = found.page
  const { currencies } = around.site
  return {
    crumb: nameCurrencies(crumb, currencies),
    description: nameCurrencies(description, currencies),
    path,
    hidden: listing === 'noindex',
    ...head?.(toWhere(found, around)),
  }
}

/**
 * Loads a page's data into `client` and returns its head.
 *
 * @throws the errors of its calls
 */
export async function loadPage(found: Found, around: Around, client: QueryClient, call?: Call): Promise<Head> {
  const load: Load = (query, options) =>
    client.fetchQuery({ ...toOptions(query, call), ...(options?.fresh && { staleTime: 0 }) })
  const loaded = await found.page.loads?.(toWhere(found, around), load)
  return { ...buildHead(found, around), ...loaded }
}
