import { type ComponentType, StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { stopRecording } from './api/early-events.ts'
import { readHandoff } from './api/handoff.ts'
import { getBrowserQueryClient } from './api/queries.ts'
import { fetchPages, loadInBrowser } from './layout.tsx'
import { buildRoutes, createRoutes } from './routes.tsx'
import { connectLayers } from './ui/layers.ts'

const { page, loaderData, errors } = readHandoff()

/** Hydrates the document. The router starts with the current page; other routes load before the first navigation. */
function hydrate({ default: Component }: { default: ComponentType }): void {
  const route = { id: page.path, path: page.path, Component }
  const router = createBrowserRouter(createRoutes({ shell: () => null, page: loadInBrowser }, [route]), {
    hydrationData: { loaderData, errors },
    async patchRoutesOnNavigation({ patch }) {
      // If the manifest fails to load, the layout's loader reports it.
      const pages = await fetchPages().catch(() => null)
      if (pages === null) return patch('layout', [{ id: 'unreachable', path: '*' }])
      patch('layout', buildRoutes([...pages.PAGES, pages.NOT_FOUND_PAGE], pages.fetchPageModule))
    },
  })
  connectLayers(router)
  stopRecording()
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        {/* With transitions, components know which page is loading, so a second choice can build on the first. */}
        <RouterProvider router={router} useTransitions />
      </StrictMode>,
    )
  })
}

// Development only: after a change of the server's code, the page's data may differ.
import.meta.hot?.on('server:updated', () => void getBrowserQueryClient().invalidateQueries())

void import(/* @vite-ignore */ page.module).then(hydrate)
