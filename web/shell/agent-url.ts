import { useLocation } from 'react-router'
import { useLoaded } from '#web/api/queries.ts'
import { siteQuery } from './shell-data.ts'

/**
 * Adds the name of a page to an m.me address as its `ref`, behind the operator's own, so the agent sees where a player comes
 * from: 'itemshop-12' for /itemshop/12. Other addresses stay as they are.
 */
export function addPageName(address: string, pathname: string): string {
  const url = URL.parse(address)
  if (url?.hostname !== 'm.me') return address
  const page =
    pathname
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? 'home'
  const own = url.searchParams.get('ref')
  url.searchParams.set('ref', own === null ? page : `${own}-${page}`)
  return url.href
}

/** Returns the address of the operator's messenger, which names the page where it can (SUPPORT-1); null without one. */
export function useAgentUrl(): string | null {
  const { data: site } = useLoaded(siteQuery())
  const { pathname } = useLocation()
  return site?.agent_url ? addPageName(site.agent_url, pathname) : null
}
