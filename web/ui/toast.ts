import type { ToastKind, ToastOptions } from './toast-host.tsx'

const fetchHost = () => import('./toast-host.tsx')

/** Fetches the toasts' code in advance, because the first message may be that the connection is lost. */
export function warmToasts(): void {
  fetchHost().catch(() => undefined)
}

/**
 * Shows a short message for 4 s at the screen's edge and reads it out (DIALOG-1, DIALOG-2).
 * If the toasts' code cannot be fetched, the browser's alert shows the message.
 */
export async function showToast(kind: ToastKind, text: string, options: ToastOptions = {}): Promise<void> {
  const host = await fetchHost().catch(() => null)
  if (host !== null) return host.pushToast(kind, text, options)
  window.alert(text)
  options.onClosed?.()
}
