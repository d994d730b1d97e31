import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, type RouteObject, redirectDocument } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { CallError } from '#web/api/call.ts'
import { warmToasts } from '#web/ui/toast.ts'
import '#web/ui/fonts/fonts.css'
import '#web/ui/base.css'
import { Desk } from './desk.tsx'
import { ScreenFailure, ScreenNotFound } from './notices.tsx'
import { startScheme } from './scheme.ts'
import { ScreenFrame } from './screen-frame.tsx'
import { SCREENS } from './screens.ts'

/** Whether a retry can help: the call got no answer, or the server failed. */
const canRetryHelp = (error: Error) => !(error instanceof CallError) || error.status === 0 || error.status >= 500

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Opening a player's page is written to the audit log, so coming back to the window must not open it again.
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 1 && canRetryHelp(error),
    },
  },
})

const screens = SCREENS.flatMap((screen) =>
  Object.entries(screen.pages).map(
    ([subpath, fetchPage]): RouteObject => ({
      path: [screen.path, subpath].filter((part) => part !== '').join('/'),
      handle: screen,
      ErrorBoundary: ScreenFailure,
      lazy: async () => {
        const { Screen } = await fetchPage()
        return {
          element: (
            <ScreenFrame screen={screen}>
              <Screen />
            </ScreenFrame>
          ),
        }
      },
    }),
  ),
)

/** The desk's links are absolute, `/admin/…`. Any other address loads a page of the site as a new document. */
const router = createBrowserRouter([
  {
    path: '/admin',
    Component: Desk,
    // The frame is empty until the first screen's code has loaded.
    HydrateFallback: () => null,
    children: [...screens, { path: '*', Component: ScreenNotFound }],
  },
  {
    path: '/admin/first',
    HydrateFallback: () => null,
    lazy: async () => ({ Component: (await import('./first-owner.tsx')).FirstOwner }),
  },
  { path: '*', loader: ({ request }) => redirectDocument(request.url), Component: () => null },
])

// Development only: after a change of the server's code, the screen's data may differ.
import.meta.hot?.on('server:updated', () => void queryClient.invalidateQueries())

// Define no component here: the development server would run this file again on the same root after each change.
warmToasts()
startScheme()
const root = document.getElementById('desk')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
