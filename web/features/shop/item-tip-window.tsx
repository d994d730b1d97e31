import { Tooltip } from '@base-ui/react/tooltip'
import { useLayoutEffect, useState } from 'react'
import type { ShopItem } from '#contract/shop.ts'
import panel from '#web/ui/panel.module.css'
import { ItemPicture, ItemPrice, ItemTerms } from './item-parts.tsx'
import styles from './item-tip.module.css'

type Point = { x: number; y: number }

/**
 * An open tooltip. `owner` is the element that it describes. It is next to the mouse, to the side of a focused element,
 * or above or below the area that a tap must not cover.
 */
export type Tip = { item: ShopItem; owner: Element } & (
  | { by: 'mouse'; point: Point }
  | { by: 'focus' | 'touch'; anchor: Element }
)

/** Moves the tooltip with the mouse. The open tooltip sets the function. */
export type Follow = { current: ((point: Point) => void) | null }

type ItemTipWindowProps = { tip: Tip; id: string; follow: Follow; onClose: () => void }

/** The distance from the mouse, in px. */
const FROM_MOUSE = { side: 'bottom', sideOffset: 18, alignOffset: 18 } as const
const FROM_FOCUS = { side: 'right', sideOffset: 10, alignOffset: 0 } as const
const FROM_TOUCH = { side: 'bottom', sideOffset: 10, alignOffset: 0 } as const
const FROM_EDGE = 8

/** The bar at the bottom of phones, which the tooltip must not cover. */
const BAR = { upTo: 640, height: 64 }

/**
 * The tooltip of an item: large image, full name, description and price (SHOP-5). A separate file, because it loads
 * Base UI.
 */
export function ItemTipWindow({ tip, id, follow, onClose }: ItemTipWindowProps) {
  const { item, owner } = tip
  const [mouse, setMouse] = useState(tip.by === 'mouse' ? tip.point : null)
  useLayoutEffect(() => {
    if (tip.by !== 'mouse') return
    setMouse(tip.point)
    follow.current = setMouse
    return () => {
      follow.current = null
    }
  }, [tip, follow])
  const anchor =
    tip.by === 'mouse'
      ? { getBoundingClientRect: () => DOMRect.fromRect(mouse ?? tip.point), contextElement: owner }
      : tip.anchor
  const place = tip.by === 'mouse' ? FROM_MOUSE : tip.by === 'focus' ? FROM_FOCUS : FROM_TOUCH
  const bottom = FROM_EDGE + (document.documentElement.clientWidth < BAR.upTo ? BAR.height : 0)
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
          {...place}
          className={styles.positioner}
          anchor={anchor}
          align="start"
          positionMethod="fixed"
          sticky={tip.by !== 'touch'}
          collisionPadding={{ top: FROM_EDGE, left: FROM_EDGE, right: FROM_EDGE, bottom }}
          collisionAvoidance={tip.by === 'mouse' ? { side: 'flip', align: 'flip' } : { side: 'flip', align: 'shift' }}
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
      <ItemPicture item={item} className={styles.picture} large />
      <div className={styles.text}>
        <p className={styles.name}>{item.ItemName}</p>
        <p className={styles.description}>{item.description}</p>
        <p className={styles.price}>
          <ItemPrice item={item} mark={24} />
        </p>
        <ItemTerms item={item} />
      </div>
    </div>
  )
}
