import { useRef } from 'react'
import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { useLoaded } from '#web/api/queries.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { currencyOf } from './currency.ts'
import { ItemPicture } from './item-picture.tsx'
import styles from './item-scroller.module.css'
import { Price } from './price.tsx'
import { itemsQuery } from './queries.ts'
import { itemPath, type ShopView } from './shop-view.ts'
import { useSeen } from './use-seen.ts'

const FIRST_PAGE: ShopView = { category: 0, page: 1, q: '', sort: '' }

/** The shop's first items as a list to scroll through in the side panel (SPEC §2.3), fetched when it is seen. */
export function ItemScroller({ className }: { className?: string | undefined }) {
  const list = useRef<HTMLUListElement>(null)
  const seen = useSeen(list)
  const { data } = useLoaded(itemsQuery(FIRST_PAGE), { enabled: seen })
  return (
    <Panel
      title="Item shop"
      className={className}
      actions={
        <Link to="/itemshop" className={styles.all}>
          All<span className="visually-hidden"> items</span>
        </Link>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <ul className={`${styles.list} quiet-scroll`} ref={list} tabIndex={0} aria-label="Items of the shop">
        {data?.itemshopdata.map((item) => (
          <li key={item.ProductNum}>
            <Link to={itemPath(item.ProductNum)} className={styles.item}>
              <ItemPicture item={item} className={styles.picture} lazy />
              <span className={styles.words}>
                <span className={styles.name}>{item.ItemName}</span>
                <span className={styles.price}>
                  <Price amount={item.price} currency={currencyOf(item.section)} mark={18} />
                </span>
              </span>
            </Link>
          </li>
        )) ??
          Array.from({ length: SHOP_PAGE_SIZE }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks without identity
            <li className={styles.item} key={index}>
              <Skeleton width={56} height={48} />
              <Skeleton width={110} height={20} />
            </li>
          ))}
      </ul>
    </Panel>
  )
}
