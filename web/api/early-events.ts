/**
 * Runs before anything else: records a visitor's presses and changes until `stopRecording`. From then on React hydrates
 * the page as soon as the visitor presses something in it.
 */
export const EARLY_EVENTS_SCRIPT =
  'early=new Set;addEventListener("click",recordEarly=e=>early.add(e.target));addEventListener("change",recordEarly)'

declare global {
  interface Window {
    /** The pressed or changed elements, once each; undefined after the replay. */
    early?: Set<EventTarget>
    recordEarly?: (event: Event) => void
  }
}

const isTick = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type)

/** Stops recording. Call it when React begins to hydrate the document, which is when React takes over its events. */
export function stopRecording(): void {
  const { early, recordEarly } = window
  if (early === undefined || recordEarly === undefined) return
  for (const type of ['click', 'change']) removeEventListener(type, recordEarly)
  delete window.recordEarly
  // Hydration can clear a tick, so changed elements are found before it.
  for (const target of early) if (isTick(target) && target.checked === target.defaultChecked) early.delete(target)
}

/** Replays presses and changes from before hydration, in their order. */
export function replayEarlyEvents(): void {
  const { early } = window
  delete window.early
  // React first renders state that only the browser has, such as the login.
  setTimeout(() => {
    for (const target of early ?? []) if (target instanceof Element && target.isConnected) replay(target)
  })
}

/** Links, disclosures and forms with an address have done their own work by then, so they are left out. */
function replay(target: Element): void {
  const control = target.closest('button, input, select')
  if (control instanceof HTMLButtonElement) {
    const { form, type } = control
    if (form === null || type === 'button' || (form.method === 'dialog' && form.closest('dialog') === null))
      control.click()
  } else if (isTick(control)) {
    // Restores the rendered state, because React ignores a press that changes nothing.
    control.checked = control.defaultChecked
    control.click()
  } else if (control?.matches('[type=file], select')) control.dispatchEvent(new Event('change', { bubbles: true }))
}
