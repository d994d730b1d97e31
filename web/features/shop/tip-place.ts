type Point = { x: number; y: number }
type Size = { width: number; height: number }
type Place = { left: number; top: number }
type Box = Place & { right: number; bottom: number }

/** Between the pointer and the box, between an element and the box, and between the box and the screen's edge. */
const AWAY = 18
const GAP = 10
const EDGE = 8

/**
 * Where a box that follows the pointer stands: below and right of it, on the other
 * side where that would leave the screen, and never past the screen's edge.
 */
export function placeTip(pointer: Point, box: Size, screen: Size): Place {
  const right = pointer.x + AWAY
  const below = pointer.y + AWAY
  const left = right + box.width + EDGE <= screen.width ? right : pointer.x - AWAY - box.width
  const top = below + box.height + EDGE <= screen.height ? below : pointer.y - AWAY - box.height
  return { left: within(left, box.width, screen.width), top: within(top, box.height, screen.height) }
}

/** Where a box stands that belongs to an element: right, left, below or above it, so that it does not cover it. */
export function placeBeside(element: Box, box: Size, screen: Size): Place {
  const across = within(element.left, box.width, screen.width)
  const down = within(element.top, box.height, screen.height)
  if (element.right + GAP + box.width + EDGE <= screen.width) return { left: element.right + GAP, top: down }
  if (element.left - GAP - box.width >= EDGE) return { left: element.left - GAP - box.width, top: down }
  const above = element.top - GAP - box.height
  const below = element.bottom + GAP
  const fitsBelow = below + box.height + EDGE <= screen.height
  const moreAbove = element.top > screen.height - element.bottom
  return { left: across, top: within(fitsBelow || !moreAbove ? below : above, box.height, screen.height) }
}

function within(start: number, length: number, limit: number): number {
  return Math.max(EDGE, Math.min(start, limit - EDGE - length))
}
