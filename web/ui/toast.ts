export type ToastKind = 'done' | 'error' | 'note'

/**
 * Shows a short message for 4 s at the screen's edge and reads it out (SPEC §9 Toasts).
 * The machinery is fetched with the first message, so that pages open without it.
 */
export async function showToast(kind: ToastKind, text: string): Promise<void> {
  const { pushToast } = await import('./toast-host.tsx')
  pushToast(kind, text)
}
