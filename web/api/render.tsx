import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client'
import { createContext as createReactContext, type ReactNode, useContext, useState } from 'react'
import { createContext, type RouterContextProvider } from 'react-router'
import type { Call } from '#contract/endpoint.ts'
import { browserQueries, LOADED_ID, packLoaded, storageOptions } from './queries.ts'

/** What the server gives each rendering, and what the rendering leaves behind for the server. */
export type Rendering = {
  call: Call
  queries: QueryClient
  /** One time for the whole rendering, in ms, so that the same page differs in nothing else. */
  renderedAt: number
  appName: string
  publicUrl: string
  /** Waits until everything is loaded and the page may take the processor. */
  takeTurn: () => Promise<unknown>
  /** Set when the page is rendered. */
  page?: { html: Buffer<ArrayBuffer>; scriptHashes: string }
}

/** The rendering in a loader's context; there is none in the browser. */
export const renderingContext = createContext<Rendering>()

export const readRendering = (context: Readonly<RouterContextProvider>): Rendering => context.get(renderingContext)

const RenderingOnServer = createReactContext<Rendering | null>(null)

/** Gives the components of a rendering on the server what was loaded for them. */
export function ServerRendering({ rendering, children }: { rendering: Rendering; children: ReactNode }) {
  return <RenderingOnServer value={rendering}>{children}</RenderingOnServer>
}

/** Gives the pages their queries: in the browser with what local storage keeps (SPEC §4 Caching). */
export function Queries({ children }: { children: ReactNode }) {
  const rendering = useContext(RenderingOnServer)
  if (rendering !== null) return <QueryClientProvider client={rendering.queries}>{children}</QueryClientProvider>
  return <BrowserQueries>{children}</BrowserQueries>
}

function BrowserQueries({ children }: { children: ReactNode }) {
  const [queries] = useState(browserQueries)
  const [storage] = useState(storageOptions)
  return (
    <PersistQueryClientProvider client={queries} persistOptions={storage}>
      {children}
    </PersistQueryClientProvider>
  )
}

/** What the server has loaded, as data in the document: written once here, read once by `browserQueries`. */
export function LoadedData() {
  const rendering = useContext(RenderingOnServer)
  const json = rendering === null ? '' : packLoaded(rendering.queries, rendering.renderedAt)
  return (
    <script
      type="application/json"
      id={LOADED_ID}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: json }}
    />
  )
}
