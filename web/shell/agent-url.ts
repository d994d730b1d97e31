import { useLocation } from 'react-router'
import { usePageQuery } from '#web/api/queries.ts'
import { getSiteQuery } from './shell-data.ts'

/**
 * Appends the name of the player's page to the `ref` of an m.me address, after the operator's ref: 'itemshop-12' for
 * /itemshop/12. Does not change other addresses.
 */
export function addPageName(address: string, pathname: string): string {
  const url = URL.parse(address)
  if (url?.hostname !== 'm.me') return address
  const page =
    pathname
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? 'home'
  const operatorRef = url.searchParams.get('ref')
  url.searchParams.set('ref', operatorRef === null ? page : `${operatorRef}-${page}`)
  return url.href
}

/**
 * Returns the address of the operators' messenger, with the name of the page if supported (SUPPORT-1); null without a
 * messenger.
 */
export function useAgentUrl(): string | null {
  const { data: site } = usePageQuery(getSiteQuery())
  const { pathname } = useLocation()
  return site?.agent_url ? addPageName(site.agent_url, pathname) : null
}
