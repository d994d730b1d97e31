import type { KeyboardEvent } from 'react'

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Left and right arrows, Home and End move the focus among the links of a row. */
export function moveFocusByArrows(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[href]')]
  const here = links.indexOf(document.activeElement as HTMLAnchorElement)
  const step = STEPS[event.key]
  const wanted =
    step !== undefined ? here + step : event.key === 'Home' ? 0 : event.key === 'End' ? links.length - 1 : null
  if (here < 0 || wanted === null) return
  event.preventDefault()
  links[(wanted + links.length) % links.length]?.focus()
}
