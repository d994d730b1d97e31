/**
 * Runs before anything else: records what a visitor presses or changes until `stopRecording`. From then on React hydrates the
 * page as soon as something in it is pressed.
 */
export const EARLY_EVENTS_SCRIPT =
  'early=new Set;addEventListener("click",recordEarly=e=>early.add(e.target));addEventListener("change",recordEarly)'

declare global {
  interface Window {
    /** What has been pressed or changed, once each; undefined when it has been replayed. */
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
  // Hydration can clear a tick, so what has been changed is decided before.
  for (const target of early) if (isTick(target) && target.checked === target.defaultChecked) early.delete(target)
}

/** Replays what was pressed or changed before the page was hydrated, in its order. */
export function replayEarlyEvents(): void {
  const { early } = window
  delete window.early
  // React first renders what only the browser knows, such as who is logged in.
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
    // Back to what was rendered, because React ignores a press that changes nothing.
    control.checked = control.defaultChecked
    control.click()
  } else if (control?.matches('[type=file], select')) control.dispatchEvent(new Event('change', { bubbles: true }))
}
