import { Tooltip } from '@base-ui/react/tooltip'
import { useLayoutEffect, useState } from 'react'
import type { ShopItem } from '#contract/shop.ts'
import panel from '#web/ui/panel.module.css'
import { ItemPicture, ItemPrice, ItemTerms } from './item-parts.tsx'
import styles from './item-tip.module.css'

type Point = { x: number; y: number }

/**
 * An open tooltip. `owner` is the element it was opened on. It is placed at the mouse, to the side of the focused
 * element, or below or above what a tap must not cover.
 */
export type Tip = { item: ShopItem; owner: Element } & (
  | { by: 'mouse'; point: Point }
  | { by: 'focus' | 'touch'; anchor: Element }
)

/** Follows the mouse. The open tooltip fills it in. */
export type Follow = { current: ((point: Point) => void) | null }

type ItemTipWindowProps = { tip: Tip; id: string; follow: Follow; onClose: () => void }

/** How far the tooltip stays from the mouse, from an element and from the screen's edges, in px. */
const FROM_MOUSE = { side: 'bottom', sideOffset: 18, alignOffset: 18 } as const
const FROM_FOCUS = { side: 'right', sideOffset: 10, alignOffset: 0 } as const
const FROM_TOUCH = { side: 'bottom', sideOffset: 10, alignOffset: 0 } as const
const FROM_EDGE = 8

/** Phones have a bar at the bottom, which the tooltip leaves free. */
const BAR = { upTo: 640, height: 64 }

/** The tooltip of an item: large image, full name, description and price (SHOP-5). It carries Base UI's code. */
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
        // A press on the item itself leaves the tooltip open, because a second tap has another meaning than the first.
        if (reason !== 'outside-press' || !owner.contains(event.target as Node)) onClose()
      }}
    >
      <Tooltip.Portal>
        <Tooltip.Positioner
          {...place}
          className={styles.place}
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
