/**
 * Runs before all other scripts: records a visitor's clicks and changes until `stopRecording`. After that, React
 * hydrates the page as soon as the visitor clicks something on it.
 */
export const EARLY_EVENTS_SCRIPT =
  'early=new Set;addEventListener("click",recordEarly=e=>early.add(e.target));addEventListener("change",recordEarly)'

declare global {
  interface Window {
    /** The clicked or changed elements, once each; undefined after the replay. */
    early?: Set<EventTarget>
    recordEarly?: (event: Event) => void
  }
}

const isCheckable = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type)

/** Stops recording. Call it when React begins to hydrate the document and takes over its events. */
export function stopRecording(): void {
  const { early, recordEarly } = window
  if (early === undefined || recordEarly === undefined) return
  for (const type of ['click', 'change']) removeEventListener(type, recordEarly)
  delete window.recordEarly
  // Removes unchanged checkboxes now, because hydration can reset them and make them look changed.
  for (const target of early) if (isCheckable(target) && target.checked === target.defaultChecked) early.delete(target)
}

/** Replays clicks and changes from before hydration, in order (SHELL-16). */
export function replayEarlyEvents(): void {
  const { early } = window
  delete window.early
  // Waits until React has rendered the state that only the browser has, such as the login.
  setTimeout(() => {
    for (const target of early ?? []) if (target instanceof Element && target.isConnected) replayEvent(target)
  })
}

/**
 * Replays a click or change. Links, disclosures and forms with an address are skipped, because they already worked without
 * scripts.
 */
function replayEvent(target: Element): void {
  const control = target.closest('button, input, select')
  if (control instanceof HTMLButtonElement) {
    const { form, type } = control
    if (form === null || type === 'button' || (form.method === 'dialog' && form.closest('dialog') === null))
      control.click()
  } else if (isCheckable(control)) {
    // Restores the rendered state first, because React ignores a click that changes nothing.
    control.checked = control.defaultChecked
    control.click()
  } else if (control?.matches('[type=file], select')) control.dispatchEvent(new Event('change', { bubbles: true }))
}
