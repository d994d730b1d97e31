import { useLocation } from 'react-router'
import { firstSegment } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { type MenuEntry, mainMenu } from '#web/menus.ts'
import { siteQuery } from './shell-data.ts'

/** The main menu's entries for this page and this operator. */
export function useMenuEntries(): MenuEntry[] {
  const { data: site } = useLoaded(siteQuery())
  const onLoginPage = firstSegment(useLocation().pathname) === 'login'
  return mainMenu({ onLoginPage, agentUrl: site?.agent_url ?? null })
}
