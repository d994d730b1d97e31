import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { currencyOf } from './currency.ts'
import { ItemPicture } from './item-picture.tsx'
import styles from './item-tip.module.css'
import { Price } from './price.tsx'
import { placeBeside, placeTip } from './tip-place.ts'
import type { Tip } from './use-item-tip.ts'

type ItemTipProps = { tip: Tip | null; tipId: string; move: RefObject<((x: number, y: number) => void) | undefined> }

/** Phones have a bar at the bottom, which the tooltip leaves free. */
const BAR = { upTo: 640, height: 64 }

function freeScreen() {
  const width = document.documentElement.clientWidth
  return { width, height: window.innerHeight - (width < BAR.upTo ? BAR.height : 0) }
}

/** The tooltip of an item: large image, full name, description and price (SPEC §2.11). */
export function ItemTip({ tip, tipId, move }: ItemTipProps) {
  return tip === null
    ? null
    : createPortal(<OpenTip key={tip.item.ProductNum} tip={tip} tipId={tipId} move={move} />, document.body)
}

function OpenTip({ tip: { item, at }, tipId, move }: ItemTipProps & { tip: Tip }) {
  const box = useRef<HTMLDivElement>(null)
  const put = useCallback((place: Tip['at']) => {
    if (box.current === null) return
    const size = { width: box.current.offsetWidth, height: box.current.offsetHeight }
    const screen = freeScreen()
    const { left, top } = 'bottom' in place ? placeBeside(place, size, screen) : placeTip(place, size, screen)
    box.current.style.translate = `${left}px ${top}px`
  }, [])

  useLayoutEffect(() => {
    put(at)
    move.current = (x, y) => put({ x, y })
    return () => {
      move.current = undefined
    }
  }, [put, move, at])

  return (
    <div className={styles.tip} ref={box} id={tipId} role="tooltip">
      <div className={styles.inner}>
        <ItemPicture item={item} className={styles.picture} />
        <div className={styles.words}>
          <p className={styles.name}>{item.ItemName}</p>
          <p className={styles.description}>{item.description}</p>
          <p className={styles.price}>
            <Price amount={item.price} currency={currencyOf(item.section)} mark={24} />
          </p>
        </div>
      </div>
    </div>
  )
}
