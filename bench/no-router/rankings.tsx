/** The rankings page's own elements, bundled without router for render-rankings.ts. */
import type { ReactElement } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import type { Call } from '#contract/endpoint.ts'
import { createQueryClient } from '#web/api/queries.ts'
import { type Rendering, ServerRendering } from '#web/api/render.tsx'
import RankingsPage from '#web/features/rankings/rankings-page.tsx'
import { ShellLayout } from '#web/layout.tsx'
import { Root } from '#web/root.tsx'
import { loadOnServer, loadShell } from '#web/server-loaders.ts'
import { Levels, Outlet } from './no-router.tsx'

export { renderToString } from 'react-dom/server'

/** Loads what the page shows, once, and returns its element tree. */
export async function loadElements(call: Call): Promise<ReactElement> {
  const url = new URL('http://site.internal/rankings')
  const rendering: Rendering = {
    call,
    queries: createQueryClient(),
    renderedAt: Date.now(),
    appName: 'Tambayan Online',
    publicUrl: 'https://play.example.ph',
    takeTurn: async () => {},
  }
  const context = { get: () => rendering }
  const args = { params: {}, request: new Request(url), context } as unknown as LoaderFunctionArgs
  const levels = [
    { id: 'root', show: Root, loaded: await loadShell(args) },
    { id: 'layout', show: ShellLayout, loaded: await loadOnServer(args) },
    { id: 'page', show: RankingsPage, loaded: undefined },
  ]
  return (
    <ServerRendering rendering={rendering}>
      <Levels levels={levels} url={url}>
        <Outlet />
      </Levels>
    </ServerRendering>
  )
}

export type NoRouter = typeof import('./rankings.tsx')
