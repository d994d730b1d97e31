import { useCallback, useState } from 'react'
import type { ShopItem } from '#contract/shop.ts'
import defaultPicture from './default-item.svg?no-inline'

type ItemPictureProps = {
  item: Pick<ShopItem, 'icon' | 'image_url'>
  className?: string | undefined
  /** Waits until it is nearly seen. */
  lazy?: boolean
}

/** An item's picture on its lit scene: the large image, else the slot icon, else the default (SPEC §2.11). */
export function ItemPicture({ item, className, lazy = false }: ItemPictureProps) {
  const wanted = item.image_url ?? (item.icon === null ? defaultPicture : `/art/${item.icon}`)
  const [failed, setFailed] = useState('')
  // A picture of the document may have failed before anyone listened.
  const look = useCallback(
    (picture: HTMLImageElement | null) => {
      if (picture?.complete && picture.naturalWidth === 0) setFailed(wanted)
    },
    [wanted],
  )
  return (
    <img
      ref={look}
      className={className}
      src={failed === wanted ? defaultPicture : wanted}
      onError={() => setFailed(wanted)}
      alt=""
      width="240"
      height="120"
      loading={lazy ? 'lazy' : undefined}
      decoding="async"
    />
  )
}
