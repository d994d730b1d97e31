/** Runs before anything else: remembers that a form was sent, which matters until React has taken the document over. */
export const EARLY_SUBMIT_SCRIPT = 'addEventListener("submit",window.noteSubmit=e=>{window.earlySubmit=e})'

declare global {
  interface Window {
    noteSubmit?: (event: SubmitEvent) => void
    earlySubmit?: SubmitEvent
  }
}

/**
 * Sends a form again that was sent before its code was there. Only forms that do nothing by themselves: others, such as
 * the search, have left the page by then.
 */
export function repeatEarlySubmit(): void {
  const { earlySubmit, noteSubmit } = window
  if (noteSubmit !== undefined) removeEventListener('submit', noteSubmit)
  delete window.noteSubmit
  delete window.earlySubmit
  const form = earlySubmit?.target
  if (!(form instanceof HTMLFormElement) || earlySubmit?.defaultPrevented) return
  if (form.isConnected && form.method === 'dialog' && form.closest('dialog') === null) form.requestSubmit()
}
