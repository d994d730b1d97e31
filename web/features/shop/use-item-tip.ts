import { type MouseEvent, type PointerEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import type { ShopItem } from '#contract/shop.ts'

/** What the tooltip tells of, and where it was opened: at the pointer, or beside an element. */
export type Tip = { item: ShopItem; at: { x: number; y: number } | DOMRect }

/**
 * The one tooltip of a list of items: it follows the mouse, and opens on keyboard focus, on the first tap and on a
 * long press (DECISIONS §4). Escape, leaving and a tap elsewhere close it. Spread `tipProps(item)` on what it belongs to.
 */
export function useItemTip() {
  const id = useId()
  const [tip, setTip] = useState<Tip | null>(null)
  const move = useRef<(x: number, y: number) => void>(undefined)
  const byTouch = useRef(false)
  const close = useCallback(() => setTip(null), [])

  useEffect(() => {
    if (tip === null) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close()
    const onTap = (event: globalThis.PointerEvent) => {
      if (!(event.target as Element).closest('[data-tip-open]')) close()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onTap)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onTap)
    }
  }, [tip, close])

  const tipProps = (item: ShopItem) => {
    const isOpen = tip?.item.ProductNum === item.ProductNum
    const openBeside = (element: Element) => setTip({ item, at: element.getBoundingClientRect() })
    return {
      'data-tip-open': isOpen || undefined,
      'aria-describedby': isOpen ? id : undefined,
      onPointerEnter: ({ pointerType, clientX, clientY }: PointerEvent) => {
        if (pointerType === 'mouse') setTip({ item, at: { x: clientX, y: clientY } })
      },
      onPointerMove: ({ pointerType, clientX, clientY }: PointerEvent) => {
        if (pointerType === 'mouse') move.current?.(clientX, clientY)
      },
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') close()
      },
      onPointerDown: ({ pointerType }: PointerEvent) => {
        byTouch.current = pointerType !== 'mouse'
      },
      onFocus: ({ target, currentTarget }: { target: Element; currentTarget: Element }) => {
        if (target.matches(':focus-visible') && !byTouch.current) openBeside(currentTarget)
      },
      onBlur: close,
      onClickCapture: (event: MouseEvent) => {
        const isLink = (event.target as Element).closest('a') !== null
        if (!byTouch.current || isOpen || !isLink) return
        // The first tap tells, the second goes there.
        event.preventDefault()
        openBeside(event.currentTarget)
      },
      onContextMenu: (event: MouseEvent) => {
        if (!byTouch.current) return
        event.preventDefault()
        openBeside(event.currentTarget)
      },
    }
  }

  return { tipProps, tip, tipId: id, move }
}
