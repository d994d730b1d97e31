/** The rankings page's own elements, bundled without router for render-rankings.ts. */
import type { ReactElement } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { createClient } from '#web/api/client.ts'
import RankingsPage, { loader as loadPage } from '#web/features/rankings/rankings-page.tsx'
import Root, { Layout, loader as loadRoot } from '#web/root.tsx'
import ShellLayout from '#web/shell/shell-layout.tsx'
import { Levels, Outlet } from './no-router.tsx'

export { renderToString } from 'react-dom/server'

/** Loads what the page shows, once, and hands back its element tree. */
export async function loadElements(fetchInProcess: typeof fetch): Promise<ReactElement> {
  const url = new URL('http://site.internal/rankings')
  const told = {
    api: createClient(fetchInProcess, url.origin),
    now: Date.now,
    appName: 'Tambayan Online',
    publicUrl: 'https://play.example.ph',
  }
  const args = { params: {}, request: new Request(url), context: { get: () => told } } as unknown as LoaderFunctionArgs
  const levels = [
    { show: Root, loaded: await loadRoot(args) },
    { show: ShellLayout, loaded: undefined },
    { show: RankingsPage, loaded: await loadPage(args) },
  ]
  return (
    <Levels levels={levels} url={url}>
      <Layout>
        <Outlet />
      </Layout>
    </Levels>
  )
}

export type NoRouter = typeof import('./rankings.tsx')
