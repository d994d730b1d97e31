import { type MouseEvent, type PointerEvent, Suspense, useCallback, useId, useRef, useState } from 'react'
import type { ShopItem } from '#contract/shop.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import type { FollowRef, Tip } from './item-tip-window.tsx'

/** Marks the part of an element that a tooltip after a tap must not cover, such as the buttons of a card. */
export const TIP_FREE_PROPS = { 'data-tip-free': '' }

const loadTipWindow = () => import('./item-tip-window.tsx')
const ItemTipWindow = lazyPart(async () => (await loadTipWindow()).ItemTipWindow)

/**
 * The shared tooltip of a list of items. It follows the mouse, and opens on keyboard focus, on the first tap and on a
 * long press (SHELL-10). Escape, leaving and a tap elsewhere close it. Spread `getTipProps(item)` on an item's element
 * and render `tooltip` on the page.
 */
export function useItemTip() {
  const id = useId()
  const [tip, setTip] = useState<Tip | null>(null)
  const followRef: FollowRef = useRef(null)
  const isByTouch = useRef(false)
  const close = useCallback(() => setTip(null), [])

  const getTipProps = (item: ShopItem) => {
    const isOpen = tip?.item.ProductNum === item.ProductNum
    const openByTouch = (owner: Element) => {
      const anchor = owner.querySelector('[data-tip-free]') ?? owner.closest('li') ?? owner
      anchor.scrollIntoView({ block: 'nearest' })
      setTip({ item, owner, trigger: 'touch', anchor })
    }
    return {
      'data-tip-open': isOpen || undefined,
      'aria-describedby': isOpen ? id : undefined,
      onPointerEnter: ({ pointerType, clientX, clientY, currentTarget }: PointerEvent) => {
        if (pointerType === 'mouse') {
          setTip({ item, owner: currentTarget, trigger: 'mouse', point: { x: clientX, y: clientY } })
        }
      },
      onPointerMove: ({ pointerType, clientX, clientY }: PointerEvent) => {
        if (pointerType === 'mouse') followRef.current?.({ x: clientX, y: clientY })
      },
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') close()
      },
      onPointerDown: ({ pointerType }: PointerEvent) => {
        isByTouch.current = pointerType !== 'mouse'
      },
      onFocus: ({ target, currentTarget }: { target: Element; currentTarget: Element }) => {
        if (!target.matches(':focus-visible') || isByTouch.current) return
        setTip({ item, owner: currentTarget, trigger: 'focus', anchor: currentTarget })
      },
      onBlur: close,
      onClickCapture: (event: MouseEvent) => {
        const isLink = (event.target as Element).closest('a') !== null
        if (!isByTouch.current || isOpen || !isLink) return
        // The first tap opens the tooltip, the second follows the link.
        event.preventDefault()
        openByTouch(event.currentTarget)
      },
      onContextMenu: (event: MouseEvent) => {
        if (!isByTouch.current) return
        event.preventDefault()
        openByTouch(event.currentTarget)
      },
    }
  }

  const tooltip = tip !== null && (
    <Suspense>
      <ItemTipWindow key={tip.item.ProductNum} tip={tip} id={id} followRef={followRef} onClose={close} />
    </Suspense>
  )
  return { getTipProps, tooltip }
}

export type GetTipProps = ReturnType<typeof useItemTip>['getTipProps']
