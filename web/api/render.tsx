import { IsRestoringProvider, type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createContext as createReactContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react'
import { createContext, type RouterContextProvider } from 'react-router'
import type { Call } from '#contract/endpoint.ts'
import { getBrowserQueryClient, storeQueries } from './queries.ts'

/** The calls, queries and settings for one rendering of a page on the server. */
export type Rendering = {
  call: Call
  queries: QueryClient
  /** The time of the rendering in ms, the same for all components. */
  renderedAt: number
  appName: string
  publicUrl: string
  /** Returns the address of a page's picture for shared links, with its version, and begins to draw the picture. */
  prepareSharePicture: (address: string) => Promise<string>
}

/** The key of the rendering in a loader's context. It is not set in the browser. */
export const renderingContext = createContext<Rendering>()

export const readRendering = (context: Readonly<RouterContextProvider>): Rendering => context.get(renderingContext)

const RenderingContext = createReactContext<Rendering | null>(null)

/** Provides the loaded data to the components of a rendering on the server. */
export function ServerRenderingProvider({ rendering, children }: { rendering: Rendering; children: ReactNode }) {
  return <RenderingContext value={rendering}>{children}</RenderingContext>
}

/** Provides queries to the pages. In the browser they include the values in local storage (NEWS-11, BANNER-3). */
export function QueryProvider({ children }: { children: ReactNode }) {
  const rendering = useContext(RenderingContext)
  if (rendering !== null) return <QueryClientProvider client={rendering.queries}>{children}</QueryClientProvider>
  return <BrowserQueryProvider>{children}</BrowserQueryProvider>
}

/** The first rendering matches the document. No query runs before local storage has been read. */
function BrowserQueryProvider({ children }: { children: ReactNode }) {
  const [queries] = useState(getBrowserQueryClient)
  const [isRestoring, setIsRestoring] = useState(true)
  useEffect(() => {
    const stopStoring = storeQueries(queries)
    startTransition(() => setIsRestoring(false))
    return stopStoring
  }, [queries])
  return (
    <QueryClientProvider client={queries}>
      <IsRestoringProvider value={isRestoring}>{children}</IsRestoringProvider>
    </QueryClientProvider>
  )
}
