import { Tooltip } from '@base-ui/react/tooltip'
import { useLayoutEffect, useState } from 'react'
import type { ShopItem } from '#contract/shop.ts'
import panel from '#web/ui/panel.module.css'
import { ItemPicture, ItemPrice, ItemTerms } from './item-parts.tsx'
import styles from './item-tip.module.css'

type Point = { x: number; y: number }

/**
 * An open tooltip. `owner` is the element that it describes. A tooltip is next to the mouse, at the side of a focused
 * element, or, after a tap, above or below the area that it must not cover.
 */
export type Tip = { item: ShopItem; owner: Element } & (
  | { trigger: 'mouse'; point: Point }
  | { trigger: 'focus' | 'touch'; anchor: Element }
)

/** Moves the tooltip with the mouse. The open tooltip sets the function. */
export type FollowRef = { current: ((point: Point) => void) | null }

type ItemTipWindowProps = { tip: Tip; id: string; followRef: FollowRef; onClose: () => void }

/** The distances of the tooltip from the mouse, a focused element and a tapped area, in px. */
const MOUSE_OFFSET = { side: 'bottom', sideOffset: 18, alignOffset: 18 } as const
const FOCUS_OFFSET = { side: 'right', sideOffset: 10, alignOffset: 0 } as const
const TOUCH_OFFSET = { side: 'bottom', sideOffset: 10, alignOffset: 0 } as const
const EDGE_PADDING_PX = 8

/** The bar at the bottom of phones, which the tooltip must not cover. */
const BOTTOM_BAR = { maxWidth: 640, height: 64 }

/**
 * The tooltip of an item: large image, full name, description and price (SHOP-5). A separate file, because it loads
 * Base UI.
 */
export function ItemTipWindow({ tip, id, followRef, onClose }: ItemTipWindowProps) {
  const { item, owner } = tip
  const [mousePosition, setMousePosition] = useState(tip.trigger === 'mouse' ? tip.point : null)
  useLayoutEffect(() => {
    if (tip.trigger !== 'mouse') return
    setMousePosition(tip.point)
    followRef.current = setMousePosition
    return () => {
      followRef.current = null
    }
  }, [tip, followRef])
  const anchor =
    tip.trigger === 'mouse'
      ? { getBoundingClientRect: () => DOMRect.fromRect(mousePosition ?? tip.point), contextElement: owner }
      : tip.anchor
  const placement = tip.trigger === 'mouse' ? MOUSE_OFFSET : tip.trigger === 'focus' ? FOCUS_OFFSET : TOUCH_OFFSET
  const bottom = EDGE_PADDING_PX + (document.documentElement.clientWidth < BOTTOM_BAR.maxWidth ? BOTTOM_BAR.height : 0)
  return (
    <Tooltip.Root
      open
      disableHoverablePopup
      onOpenChange={(_, { reason, event }) => {
        // A press on the item does not close the tooltip, because the second tap follows the link.
        if (reason !== 'outside-press' || !owner.contains(event.target as Node)) onClose()
      }}
    >
      <Tooltip.Portal>
        <Tooltip.Positioner
          {...placement}
          className={styles.positioner}
          anchor={anchor}
          align="start"
          positionMethod="fixed"
          sticky={tip.trigger !== 'touch'}
          collisionPadding={{ top: EDGE_PADDING_PX, left: EDGE_PADDING_PX, right: EDGE_PADDING_PX, bottom }}
          collisionAvoidance={
            tip.trigger === 'mouse' ? { side: 'flip', align: 'flip' } : { side: 'flip', align: 'shift' }
          }
        >
          <Tooltip.Popup className={styles.tip} id={id} role="tooltip">
            <ItemTipSheet item={item} />
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** The content of an item's tooltip. */
export function ItemTipSheet({ item }: { item: ShopItem }) {
  return (
    <div className={`${panel.panel} ${styles.inner}`}>
      <ItemPicture item={item} className={styles.picture} isLarge />
      <div className={styles.text}>
        <p className={styles.name}>{item.ItemName}</p>
        <p className={styles.description}>{item.description}</p>
        <p className={styles.price}>
          <ItemPrice item={item} markSize={24} />
        </p>
        <ItemTerms item={item} />
      </div>
    </div>
  )
}
