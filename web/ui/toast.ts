import type { ToastKind, ToastOptions } from './toast-host.tsx'

const fetchHost = () => import('./toast-host.tsx')

/** Downloads the toasts' code in advance, because the first message may report a lost connection. */
export function warmToasts(): void {
  fetchHost().catch(() => undefined)
}

/**
 * Shows a short message for 4 s at the edge of the screen and announces it (DIALOG-1, DIALOG-2). If the toasts' code
 * cannot be downloaded, it uses the browser's alert.
 */
export async function showToast(kind: ToastKind, text: string, options: ToastOptions = {}): Promise<void> {
  const host = await fetchHost().catch(() => null)
  if (host !== null) return host.pushToast(kind, text, options)
  window.alert(text)
  options.onClosed?.()
}
