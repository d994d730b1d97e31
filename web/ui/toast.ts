export type ToastKind = 'done' | 'error' | 'note'

const fetchHost = () => import('./toast-host.tsx')

/** Fetches what shows messages ahead of the first one, for when the connection may be gone by then. */
export function warmToasts(): void {
  fetchHost().catch(() => undefined)
}

/**
 * Shows a short message for 4 s at the screen's edge and reads it out (SPEC §9 Toasts).
 * The machinery is fetched with the first message, so that pages open without it; where
 * that fails the browser's own alert says it.
 */
export async function showToast(kind: ToastKind, text: string): Promise<void> {
  const host = await fetchHost().catch(() => null)
  if (host === null) window.alert(text)
  else host.pushToast(kind, text)
}
