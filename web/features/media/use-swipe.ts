import { type PointerEvent, useRef } from 'react'

/** A finger that moved this far meant it. */
const FAR_PX = 48

/**
 * Swiping sideways: the element follows the finger through the custom property `--drag`,
 * and letting go far enough tells the direction, −1 to the left or 1 to the right.
 */
export function useSwipe(onSwipe: (direction: -1 | 1) => void) {
  const from = useRef<{ id: number; x: number } | null>(null)

  function follow(event: PointerEvent<HTMLElement>, px: number) {
    event.currentTarget.style.setProperty('--drag', `${px}px`)
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'mouse' || !event.isPrimary) {
        from.current = null
        return
      }
      from.current = { id: event.pointerId, x: event.clientX }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current?.id === event.pointerId) follow(event, event.clientX - from.current.x)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (from.current?.id !== event.pointerId) return
      const moved = event.clientX - from.current.x
      from.current = null
      follow(event, 0)
      if (Math.abs(moved) >= FAR_PX) onSwipe(moved < 0 ? -1 : 1)
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      from.current = null
      follow(event, 0)
    },
  }
}
