import { useLayoutEffect, useRef } from 'react'
import { createPath, type DataRouter } from 'react-router'

/** Something that lies over the page. Without `close` it stays until it is ready to go. */
type Layer = { close: (() => void) | undefined }

/** The topmost is last. */
let layers: Layer[] = []
let router: DataRouter | undefined
/** Steps of the history that were requested here and have not arrived. */
let travelling: (() => void) | null = null
let navigations = 0

/** The number of layers that the present entry of the history represents. */
const depth = (): number => history.state?.layers ?? 0

function travel(steps: number): Promise<void> {
  return new Promise((arrive) => {
    travelling = arrive
    history.go(steps)
  })
}

/** Gives each layer an entry of the history above its page's, and takes back those of layers that have closed. */
function settle(): void {
  if (travelling !== null || navigations > 0) return
  const missing = layers.length - depth()
  if (missing < 0) void travel(missing)
  for (let nth = 0; nth < missing; nth++) history.pushState({ ...history.state, layers: depth() + 1 }, '')
}

function closeAll(): void {
  for (const layer of layers.splice(0).reverse()) layer.close?.()
}

/** Hears of every step through the history before the router does, which only gets those from page to page. */
function onStep(event: PopStateEvent, page: DataRouter['state']['location']): void {
  const isSamePage =
    (history.state?.key ?? 'default') === page.key &&
    location.pathname + location.search + location.hash === createPath(page)
  if (!isSamePage) {
    closeAll()
    return
  }
  event.stopImmediatePropagation()
  if (travelling === null && depth() < layers.length) {
    const top = layers.at(-1)
    if (top?.close === undefined) {
      void travel(1)
      return
    }
    layers.pop()
    top.close()
  }
  travelling?.()
  travelling = null
  settle()
}

/**
 * Makes Back close a layer over the page, and only that (SHELL-11): each layer is a step in the history at the page's
 * own address. A link that is followed from a layer replaces the layer's step, so Back from there shows the page as it
 * was.
 */
export function keepLayers(own: DataRouter): void {
  router = own
  window.addEventListener('popstate', (event) => onStep(event, own.state.location), { capture: true })
  const navigate = own.navigate as (to: unknown, options?: { replace?: boolean }) => Promise<void>
  const leaveLayers = async (to: unknown, options?: { replace?: boolean }) => {
    navigations++
    layers = []
    try {
      if (options?.replace && depth() > 0) await travel(-depth())
      await navigate(to, depth() > 0 ? { ...options, replace: true } : options)
    } finally {
      navigations--
      settle()
    }
  }
  own.navigate = leaveLayers as DataRouter['navigate']
  settle()
}

/**
 * Adds a layer over the page to the history.
 *
 * @param close closes the layer on Back; undefined while it cannot be closed
 */
export function useLayer(isOpen: boolean, close: (() => void) | undefined): void {
  const layer = useRef<Layer>({ close })
  useLayoutEffect(() => {
    layer.current.close = close
  })
  // Before it can be seen; otherwise Back could come too early.
  useLayoutEffect(() => {
    if (!isOpen || router === undefined) return
    const own = layer.current
    layers.push(own)
    // One layer may open as another closes, in the same step.
    queueMicrotask(settle)
    return () => {
      layers = layers.filter((other) => other !== own)
      queueMicrotask(settle)
    }
  }, [isOpen])
}
