import { useLayoutEffect, useRef } from 'react'
import { createPath, type DataRouter } from 'react-router'

type Layer = {
  /** Undefined while Back cannot close the layer. */
  close: (() => void) | undefined
  /** Whether the layer stays open when a link changes the address. */
  staysOpen: boolean
}

/** The open layers, topmost last. */
let layers: Layer[] = []
let router: DataRouter | undefined
/** Resolves the promise of a history step that the browser has not finished; null if no step is pending. */
let pendingStep: (() => void) | null = null
let navigations = 0

/** Returns the number of layers of the current history entry. */
const readDepth = (): number => history.state?.layers ?? 0

function stepHistory(steps: number): Promise<void> {
  return new Promise((resolve) => {
    pendingStep = resolve
    history.go(steps)
  })
}

/** Adds a history entry for each open layer, and goes back past the entries of closed ones. */
function syncHistory(): void {
  if (pendingStep !== null || navigations > 0) return
  const missingEntries = layers.length - readDepth()
  if (missingEntries < 0) void stepHistory(missingEntries)
  for (let index = 0; index < missingEntries; index++)
    history.pushState({ ...history.state, layers: readDepth() + 1 }, '')
}

function closeLayers(): void {
  for (const layer of layers.splice(0).reverse()) layer.close?.()
}

/** Handles every history step before the router does, and passes on only steps between pages. */
function handlePopState(event: PopStateEvent, page: DataRouter['state']['location']): void {
  const isSamePage =
    (history.state?.key ?? 'default') === page.key &&
    location.pathname + location.search + location.hash === createPath(page)
  if (!isSamePage) {
    closeLayers()
    return
  }
  event.stopImmediatePropagation()
  if (pendingStep === null && readDepth() < layers.length) {
    const top = layers.at(-1)
    if (top?.close === undefined) {
      void stepHistory(1)
      return
    }
    layers.pop()
    top.close()
  }
  pendingStep?.()
  pendingStep = null
  syncHistory()
}

/**
 * Makes Back close the topmost layer instead of leaving the page (SHELL-11). Each layer is a history entry with the
 * page's address. A link inside a layer replaces that entry, so Back then shows the page without the layer.
 */
export function connectLayers(pageRouter: DataRouter): void {
  router = pageRouter
  window.addEventListener('popstate', (event) => handlePopState(event, pageRouter.state.location), { capture: true })
  const navigate = pageRouter.navigate as (to: unknown, options?: { replace?: boolean }) => Promise<void>
  const leaveLayers = async (to: unknown, options?: { replace?: boolean }) => {
    navigations++
    layers = layers.filter(({ staysOpen }) => staysOpen)
    try {
      if (options?.replace && readDepth() > 0) await stepHistory(-readDepth())
      await navigate(to, readDepth() > 0 ? { ...options, replace: true } : options)
    } finally {
      navigations--
      syncHistory()
    }
  }
  pageRouter.navigate = leaveLayers as DataRouter['navigate']
  syncHistory()
}

/**
 * Adds a layer above the page, such as a dialog, a menu or a sheet, to the history.
 *
 * @param close closes the layer on Back; undefined while it cannot be closed
 * @param staysOpen whether the layer stays open when one of its links changes the page below
 */
export function useLayer(isOpen: boolean, close: (() => void) | undefined, staysOpen = false): void {
  const layer = useRef<Layer>({ close, staysOpen })
  useLayoutEffect(() => {
    layer.current.close = close
  })
  // A layout effect runs before the layer is visible, so its entry exists before Back can be pressed.
  useLayoutEffect(() => {
    if (!isOpen || router === undefined) return
    const openedLayer = layer.current
    layers.push(openedLayer)
    // Waits for a microtask, because one layer may close while another opens.
    queueMicrotask(syncHistory)
    return () => {
      layers = layers.filter((candidate) => candidate !== openedLayer)
      queueMicrotask(syncHistory)
    }
  }, [isOpen])
}
