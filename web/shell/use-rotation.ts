import { type MouseEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { ROTATOR } from '#contract/limits.ts'

/** How far a finger moves sideways, in px, before it means the next banner and not the link. */
const SWIPE_PX = 40

type Rotation = {
  current: number
  /** The furthest banner shown so far; its picture and those before it stay. */
  furthest: number
  /** Shows a banner; the next change is a full turn away. */
  show: (index: number) => void
  /** For the box of the slides: a finger's swipe to the next or the previous banner. */
  swipe: {
    onPointerDown: (event: PointerEvent) => void
    onPointerUp: (event: PointerEvent) => void
    onClickCapture: (event: MouseEvent) => void
  }
}

/**
 * Moves through `count` banners in their order, the first change after 3 s and then every
 * 3 s (SPEC §2.17). Stands while `still`, while the tab is hidden, and for people who asked
 * for less motion.
 */
export function useRotation(count: number, still: boolean): Rotation {
  const [current, setCurrent] = useState(0)
  const [furthest, setFurthest] = useState(0)
  const [turn, setTurn] = useState(0)
  const show = useCallback(
    (index: number) => {
      const next = (index + count) % count
      setCurrent(next)
      setFurthest((before) => Math.max(before, next))
      setTurn((turns) => turns + 1)
    },
    [count],
  )

  useEffect(() => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (still || calm || count < 2) return
    const advance = () => {
      if (document.visibilityState === 'visible') show(current + 1)
      else document.addEventListener('visibilitychange', () => setTurn(turn + 1), { once: true })
    }
    const timer = setTimeout(advance, turn === 0 ? ROTATOR.startMs : ROTATOR.slideMs)
    return () => clearTimeout(timer)
  }, [count, current, still, turn, show])

  const from = useRef<number | null>(null)
  const swiped = useRef(false)
  return {
    current: Math.min(current, count - 1),
    furthest,
    show,
    swipe: {
      onPointerDown: (event) => {
        swiped.current = false
        from.current = event.pointerType === 'mouse' ? null : event.clientX
      },
      onPointerUp: (event) => {
        const moved = from.current === null ? 0 : event.clientX - from.current
        from.current = null
        if (Math.abs(moved) < SWIPE_PX) return
        swiped.current = true
        show(current + (moved < 0 ? 1 : -1))
      },
      onClickCapture: (event) => {
        if (swiped.current) event.preventDefault()
        swiped.current = false
      },
    },
  }
}
