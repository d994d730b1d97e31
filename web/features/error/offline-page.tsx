import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { NO_CONNECTION_TEXTS } from '#contract/messages.ts'
import { offlineSearch } from '#web/api/browser-search.ts'
import { isOffline, listCacheNames } from '#web/api/connection.ts'
import { isSitePath } from '#web/api/guard.ts'
import { usePageSearch } from '#web/api/page.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import styles from './error.module.css'

type SavedPage = { address: string; title: string }

/** Lists the cached pages, most recently visited first. */
async function listSavedPages(): Promise<SavedPage[]> {
  const savedPages: SavedPage[] = []
  for (const name of await listCacheNames()) {
    if (!name.startsWith('pages ')) continue
    const pages = await caches.open(name)
    for (const { url } of (await pages.keys()).toReversed()) {
      const { pathname, search } = new URL(url)
      const html = (await (await pages.match(url))?.text()) ?? ''
      const title = new DOMParser().parseFromString(html, 'text/html').title.replace(/ \| .*$/, '')
      if (pathname !== '/offline') savedPages.push({ address: pathname + search, title })
    }
  }
  return savedPages
}

/**
 * The page that the service worker shows for an uncached page (OFFLINE-3). When the connection returns, it opens the
 * requested page.
 */
export default function OfflinePage() {
  const { to } = usePageSearch(offlineSearch)
  const navigate = useNavigate()
  const [savedPages, setSavedPages] = useState<SavedPage[]>([])
  useEffect(() => {
    if (!isOffline() && to !== null) void navigate(isSitePath(to) ? to : '/', { replace: true })
    else void listSavedPages().then(setSavedPages)
  }, [to, navigate])
  return (
    <>
      <PageHead hasScene crumb={NO_CONNECTION_TEXTS.title} title={NO_CONNECTION_TEXTS.title} />
      <Panel>
        <div className={`${layout.padded} ${styles.lines}`}>
          <p>{NO_CONNECTION_TEXTS.line}</p>
          <div className={layout.buttons}>
            <Button onClick={() => location.reload()}>Try again</Button>
          </div>
          <ul className={styles.savedPages}>
            {savedPages.map(({ address, title }) => (
              <li key={address}>
                <a href={address}>{title}</a>
              </li>
            ))}
          </ul>
        </div>
      </Panel>
    </>
  )
}
