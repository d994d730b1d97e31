import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { browserClient } from '#web/api/client.ts'
import { type MenuEntry, menuEntries } from './menu-entries.ts'
import { siteQuery } from './queries.ts'
import { firstSegment } from './sections.ts'

/** The main menu's entries for this page and this operator. */
export function useMenuEntries(): MenuEntry[] {
  const { data: site } = useQuery(siteQuery(browserClient))
  const onLoginPage = firstSegment(useLocation().pathname) === 'login'
  return menuEntries({ onLoginPage, agentUrl: site?.agent_url ?? null })
}
