import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { CURRENCY_NAMES } from '#contract/currencies.ts'
import { GIFT_TEXTS } from '#contract/gifts.ts'
import { findServiceName, SERVICE_TEXTS } from '#contract/services.ts'
import { openItem, SHOP_TEXTS, type ShopItem } from '#contract/shop.ts'
import { addWish, WISH_LIST_TEXTS } from '#contract/wishes.ts'
import { call } from '#web/api/call.ts'
import { readId, useHydrated, usePageSearch } from '#web/api/page.ts'
import { getAccessToken, useSession } from '#web/api/session.ts'
import { useBuyNow } from '#web/features/cart/purchase-dialog.tsx'
import { alertRefusal, useAddToCart, useRequireLogin } from '#web/features/cart/use-cart.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { getCurrency, toBalances } from './amounts.ts'
import { FromTheShop } from './from-the-shop.tsx'
import { GiftDialog } from './gift-dialog.tsx'
import styles from './item-page.module.css'
import { ItemPicture, ItemPrice, ItemTerms, Price, Ribbon } from './item-parts.tsx'
import { PurchasesClosed, useClosedPurchaseProps } from './purchases-closed.tsx'
import { getCategoriesQuery, getItemPath, getItemQuery, getShopPath, itemSearch, useLoaderQuery } from './shop-view.ts'

/** The page of one item, with an address to link and share. */
export default function ItemPage() {
  const productNum = readId(useParams().productnum)
  const { data: item } = useLoaderQuery(getItemQuery(productNum))
  const openedProductNum = item?.ProductNum
  useEffect(() => {
    // Counts a view of the page.
    if (openedProductNum !== undefined)
      call(openItem, { productnum: openedProductNum }, { shellFailures: 'none' }).catch(() => undefined)
  }, [openedProductNum])
  if (item === undefined) return null
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.shop]}
        crumb={item.ItemName}
        title={findServiceName(item.service) ?? item.ItemName}
        {...(findServiceName(item.service) !== undefined && { lines: [item.ItemName] })}
      />
      <PurchasesClosed />
      <ItemDetails key={item.ProductNum} item={item} />
      <FromTheShop title="From the same shelf" category={item.category} excludedIds={[item.ProductNum]} />
    </>
  )
}

/** An item's details: picture, effect, price, and the player's balance. */
function ItemDetails({ item }: { item: ShopItem }) {
  const { data: categories } = useLoaderQuery(getCategoriesQuery())
  const user = useSession()?.user
  const addToCart = useAddToCart()
  const { buyNow, dialog } = useBuyNow()
  const [busy, setBusy] = useState<'add' | 'buy' | null>(null)
  const runAction = (button: 'add' | 'buy', action: (item: ShopItem) => Promise<void>) => {
    setBusy(button)
    void action(item).finally(() => setBusy(null))
  }
  const closedProps = useClosedPurchaseProps()
  const isPurchaseRequested = usePageSearch(itemSearch).buy
  const isDialogRequested = useHydrated() && isPurchaseRequested && closedProps === undefined
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address opens the dialog once
  useEffect(() => {
    if (!isDialogRequested || getAccessToken() === null) return
    void buyNow(item).then(() => navigate(getItemPath(item.ProductNum), { replace: true, preventScrollReset: true }))
  }, [isDialogRequested])
  const currency = getCurrency(item.section)
  const category = categories?.find(({ id }) => id === item.category)
  return (
    <div className={styles.item}>
      <div className={styles.scene}>
        <Ribbon item={item} />
        <ItemPicture item={item} className={`${layout.cover} ${styles.picture}`} isLarge />
      </div>
      <div className={styles.facts}>
        <div className={styles.money}>
          <p className={styles.price}>
            <ItemPrice item={item} markSize={28} />
          </p>
          <p className={styles.balance} data-for="player">
            You have
            <br />
            {user && <Price amount={toBalances(user)[currency]} currency={currency} markSize={16} />}
          </p>
        </div>
        <p className={text.brief}>{item.description}</p>
        <ItemTerms item={item} />
        <div className={styles.pair}>
          {item.kind === 'item' && (
            <Button size="lg" tone="secondary" busy={busy === 'add'} onClick={() => runAction('add', addToCart)}>
              {SHOP_TEXTS.addToCart}
            </Button>
          )}
          <Button size="lg" busy={busy === 'buy'} {...closedProps} onClick={() => runAction('buy', buyNow)}>
            {SHOP_TEXTS.buyNow}
          </Button>
        </div>
        <div className={`${styles.pair} ${styles.secondaryButtons}`}>
          {item.kind === 'item' && <SendAsGift item={item} />}
          <WishButton item={item} />
        </div>
        <p className={text.quiet}>{item.kind === 'service' ? SERVICE_TEXTS.about : ARRIVAL_TEXT}</p>
        <dl className={styles.list}>
          <dt>Type</dt>
          <dd>
            <Link to={getShopPath({ category: item.category, page: 1, q: '', sort: '' })}>
              {category?.category_name ?? 'Item Shop'}
            </Link>
          </dd>
          <dt>Paid with</dt>
          <dd>
            <CurrencyText>{CURRENCY_NAMES[currency]}</CurrencyText>
          </dd>
        </dl>
      </div>
      {dialog}
    </div>
  )
}

const ARRIVAL_TEXT = 'It arrives in your item bank in the game. Purchase History shows when.'

/** The button that puts an item on the wish list. */
function WishButton({ item }: { item: ShopItem }) {
  const requireLogin = useRequireLogin()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const addToWishList = async () => {
    if (!requireLogin()) return
    setBusy(true)
    try {
      const { message } = await call(addWish, { productnum: item.ProductNum })
      const to = '/wishlist'
      void showToast('done', message, {
        action: { label: WISH_LIST_TEXTS.title, to, onPress: () => void navigate(to) },
      })
    } catch (error) {
      alertRefusal(error)
    }
    setBusy(false)
  }
  return (
    <Button tone="secondary" busy={busy} onClick={() => void addToWishList()}>
      {WISH_LIST_TEXTS.add}
    </Button>
  )
}

/** The button that opens the gift dialog of an item. The parameters of the address can open the dialog too. */
function SendAsGift({ item }: { item: ShopItem }) {
  const search = usePageSearch(itemSearch)
  const closedProps = useClosedPurchaseProps()
  const isDialogRequested = useHydrated() && search.gift && closedProps === undefined
  const requireLogin = useRequireLogin()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address opens the dialog once
  useEffect(() => {
    if (isDialogRequested && requireLogin()) setOpen(true)
  }, [isDialogRequested])
  const close = () => {
    setOpen(false)
    if (search.gift) void navigate(getItemPath(item.ProductNum), { replace: true, preventScrollReset: true })
  }
  return (
    <>
      <Button
        tone="secondary"
        {...closedProps}
        onClick={() => {
          if (requireLogin()) setOpen(true)
        }}
      >
        {GIFT_TEXTS.send}
      </Button>
      <GiftDialog open={isOpen} item={item} recipientId={search.to} onClose={close} />
    </>
  )
}
