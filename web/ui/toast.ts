import type { ToastKind, ToastOptions } from './toast-host.tsx'

const fetchHost = () => import('./toast-host.tsx')

/** Fetches the toasts' code ahead of the first message, which may be that the connection is lost. */
export function warmToasts(): void {
  fetchHost().catch(() => undefined)
}

/**
 * Shows a short message for 4 s at the screen's edge and reads it out (DIALOG-1, DIALOG-2).
 * The code is fetched with the first message; if that fails, the browser's own alert
 * shows it.
 */
export async function showToast(kind: ToastKind, text: string, options: ToastOptions = {}): Promise<void> {
  const host = await fetchHost().catch(() => null)
  if (host !== null) return host.pushToast(kind, text, options)
  window.alert(text)
  options.onGone?.()
}
