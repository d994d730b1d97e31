import { useCallback, useState } from 'react'
import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { formatClockEnd } from '#contract/manila.ts'
import { formatMoney } from '#contract/numbers.ts'
import { findServiceName } from '#contract/services.ts'
import type { ShopItem } from '#contract/shop.ts'
import { usePageQuery } from '#web/api/queries.ts'
import defaultDrawing from '#web/art/default-item.svg?no-inline'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { useThemePicture } from '#web/shell/shell-data.ts'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import { Value } from '#web/ui/value.tsx'
import { type Currency, getCurrency } from './amounts.ts'
import styles from './item-parts.module.css'
import { getItemPath, getItemsQuery } from './shop-view.ts'

type PriceProps = {
  amount: number
  currency: Currency
  /** The side length of the currency's mark, in px. */
  markSize?: number
}

/** An amount with two decimals after its currency's mark. Screen readers read the currency's name. */
export function Price({ amount, currency, markSize = 20 }: PriceProps) {
  const names = useCurrencyNames()
  const CurrencyMark = currency === 'rCoin' ? CoinMark : MilleageMark
  return (
    <span className={styles.price}>
      <CurrencyMark size={markSize} />
      <Value>{formatMoney(amount)}</Value>
      <span className="visually-hidden"> {names[currency]}</span>
    </span>
  )
}

type ItemPriceProps = { item: Pick<ShopItem, 'price' | 'regular_price' | 'section'>; markSize?: number }

/** An item's price, or 'free'. A sale shows the old price struck through. */
export function ItemPrice({ item, markSize }: ItemPriceProps) {
  if (item.price === 0) return <span className={styles.price}>Free</span>
  const price = <Price amount={item.price} currency={getCurrency(item.section)} {...(markSize && { markSize })} />
  if (item.regular_price === undefined) return price
  return (
    <>
      {price}{' '}
      <del className={styles.oldPrice}>
        <span className="visually-hidden">instead of </span>
        <Value>{formatMoney(item.regular_price)}</Value>
      </del>
    </>
  )
}

/** Returns whether an item has an end of its sale or a limit for each account. */
export const hasTerms = (item: ShopItem): boolean => item.sale_ends_at !== undefined || item.account_limit !== undefined

/** The end of an item's sale and its limit for each account; nothing for items without either. */
export function ItemTerms({ item, className }: { item: ShopItem; className?: string | undefined }) {
  const { sale_ends_at: end, account_limit: limit } = item
  if (!hasTerms(item)) return null
  return (
    <span className={[styles.terms, className].filter(Boolean).join(' ')}>
      {end !== undefined && <Value dateTime={end}>{`Until ${formatSaleEnd(end)}`}</Value>}
      {limit !== undefined && <span>{`${limit} per account`}</span>}
    </span>
  )
}

/** Formats the end of a sale in Manila without the year: 'Sun 22 Nov, 18:00'. */
const formatSaleEnd = (iso: string) => formatClockEnd(Date.parse(iso)).replace(/ \d{4}/, '')

/** The ribbon of a new, hot or cheaper item: a picture with its label as text. */
export function Ribbon({ item }: { item: Pick<ShopItem, 'ribbon' | 'ribbon_label'> }) {
  const picture = useArt(item.ribbon ?? '')
  if (item.ribbon === null) return null
  if (!picture.startsWith('/art/'))
    return (
      <span className={styles.ribbon}>
        <img className={styles.uploadedRibbon} src={picture} alt={item.ribbon_label ?? ''} width="58" height="22" />
      </span>
    )
  const isDark = picture.endsWith('/ribbon-hot.svg')
  return (
    <span className={`${styles.ribbon} ${isDark ? styles.darkRibbon : ''}`} data-poster>
      <img src={picture} alt="" width="58" height="22" />
      {item.ribbon_label !== null && <span className={styles.label}>{item.ribbon_label}</span>}
    </span>
  )
}

type ItemPictureProps = {
  item: Pick<ShopItem, 'icon' | 'image_url'>
  className?: string | undefined
  /** Loads the picture only when it is near the screen. */
  isLazy?: boolean
  /** Whether to show the large image instead of the slot icon. */
  isLarge?: boolean
}

/**
 * An item's picture. If the icon or the image is missing, the other one replaces it; the default replaces both (SHOP-2,
 * SHOP-3).
 */
export function ItemPicture({ item, className, isLazy = false, isLarge = false }: ItemPictureProps) {
  const defaultPicture = useThemePicture('item') ?? defaultDrawing
  const icon = item.icon === null || item.icon.startsWith('/') ? item.icon : `/art/${item.icon}`
  const preferredPicture = (isLarge ? (item.image_url ?? icon) : (icon ?? item.image_url)) ?? defaultPicture
  const [failedPicture, setFailedPicture] = useState('')
  // A picture in the server's HTML may have failed before React attached onError.
  const checkPicture = useCallback(
    (picture: HTMLImageElement | null) => {
      if (picture?.complete && picture.naturalWidth === 0) setFailedPicture(preferredPicture)
    },
    [preferredPicture],
  )
  return (
    <img
      ref={checkPicture}
      className={className}
      src={failedPicture === preferredPicture ? defaultPicture : preferredPicture}
      onError={() => setFailedPicture(preferredPicture)}
      alt=""
      width="240"
      height="120"
      loading={isLazy ? 'lazy' : undefined}
      decoding="async"
    />
  )
}

/** The shop's first items as a scrolling list in the side panel (SHELL-9). */
export function ItemScroller({ className }: { className?: string | undefined }) {
  const { data } = usePageQuery(getItemsQuery({ category: 0, page: 1, q: '', sort: '' }))
  return (
    <Panel
      title="Item shop"
      className={className}
      actions={
        <Link to="/itemshop" className={styles.allLink}>
          All<span className="visually-hidden"> items</span>
        </Link>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to be able to scroll the list */}
      <ul className={`${styles.list} quiet-scroll`} tabIndex={0} aria-label="Items of the shop">
        {data?.itemshopdata.length === 0 && <li className={styles.emptyText}>There are no items yet.</li>}
        {data?.itemshopdata.map((item) => (
          <li key={item.ProductNum}>
            <Link to={getItemPath(item.ProductNum)} className={styles.item}>
              <ItemPicture item={item} className={styles.picture} isLazy />
              <span className={styles.text}>
                <span className={styles.name}>{findServiceName(item.service) ?? item.ItemName}</span>
                <span className={styles.cost}>
                  <ItemPrice item={item} markSize={18} />
                </span>
              </span>
            </Link>
          </li>
        )) ??
          Array.from({ length: SHOP_PAGE_SIZE }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <li className={styles.item} key={index}>
              <Skeleton width={56} height={48} />
              <Skeleton width={110} height={20} />
            </li>
          ))}
      </ul>
    </Panel>
  )
}
