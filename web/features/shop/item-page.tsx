import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { CURRENCY_NAMES } from '#contract/currencies.ts'
import { GIFT_TEXTS } from '#contract/gifts.ts'
import { findServiceName, SERVICE_TEXTS } from '#contract/services.ts'
import { openItem, SHOP_TEXTS, type ShopItem } from '#contract/shop.ts'
import { addWish, WISH_LIST_TEXTS } from '#contract/wishes.ts'
import { call } from '#web/api/call.ts'
import { numberIn, useHydrated, usePageSearch } from '#web/api/page.ts'
import { accessToken, useSession } from '#web/api/session.ts'
import { useBuyNow } from '#web/features/cart/purchase-dialog.tsx'
import { alertRefusal, useAddToCart, useLoginFirst } from '#web/features/cart/use-cart.ts'
import { ABOVE, PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { getCurrency, toAmounts } from './amounts.ts'
import { FromTheShop } from './from-the-shop.tsx'
import { GiftDialog } from './gift-dialog.tsx'
import styles from './item-page.module.css'
import { ItemPicture, ItemPrice, ItemTerms, Price, Ribbon } from './item-parts.tsx'
import { PurchasesClosed, usePurchasesClosed } from './purchases-closed.tsx'
import { categoriesQuery, itemPath, itemQuery, itemSearch, shopPath, useShown } from './shop-view.ts'

/** The page of one item, with an address to link and share. */
export default function ItemPage() {
  const productNum = numberIn(useParams().productnum)
  const { data: item } = useShown(itemQuery(productNum))
  const shown = item?.ProductNum
  useEffect(() => {
    if (shown !== undefined) call(openItem, { productnum: shown }, { shellShows: 'none' }).catch(() => undefined)
  }, [shown])
  if (item === undefined) return null
  return (
    <>
      <PageHead
        above={[ABOVE.shop]}
        crumb={item.ItemName}
        title={findServiceName(item.service) ?? item.ItemName}
        {...(findServiceName(item.service) !== undefined && { lines: [item.ItemName] })}
      />
      <PurchasesClosed />
      <ItemDetails key={item.ProductNum} item={item} />
      <FromTheShop title="From the same shelf" category={item.category} without={[item.ProductNum]} />
    </>
  )
}

/** An item's details: picture, effect, price, and the player's balance. */
function ItemDetails({ item }: { item: ShopItem }) {
  const { data: categories } = useShown(categoriesQuery())
  const user = useSession()?.user
  const addToCart = useAddToCart()
  const { buyNow, dialog } = useBuyNow()
  const [busy, setBusy] = useState<'add' | 'buy' | null>(null)
  const run = (what: 'add' | 'buy', action: (item: ShopItem) => Promise<void>) => {
    setBusy(what)
    void action(item).finally(() => setBusy(null))
  }
  const closed = usePurchasesClosed()
  const isWanted = usePageSearch(itemSearch).buy
  const isAddressed = useHydrated() && isWanted && closed === undefined
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address opens the dialog once
  useEffect(() => {
    if (!isAddressed || accessToken() === null) return
    void buyNow(item).then(() => navigate(itemPath(item.ProductNum), { replace: true, preventScrollReset: true }))
  }, [isAddressed])
  const currency = getCurrency(item.section)
  const shelf = categories?.find(({ id }) => id === item.category)
  return (
    <div className={styles.item}>
      <div className={styles.scene}>
        <Ribbon item={item} />
        <ItemPicture item={item} className={`${layout.cover} ${styles.picture}`} large />
      </div>
      <div className={styles.facts}>
        <div className={styles.money}>
          <p className={styles.price}>
            <ItemPrice item={item} mark={28} />
          </p>
          <p className={styles.balance} data-for="player">
            You have
            <br />
            {user && <Price amount={toAmounts(user)[currency]} currency={currency} mark={16} />}
          </p>
        </div>
        <p className={text.brief}>{item.description}</p>
        <ItemTerms item={item} />
        <div className={styles.pair}>
          {item.kind === 'item' && (
            <Button size="lg" tone="secondary" busy={busy === 'add'} onClick={() => run('add', addToCart)}>
              {SHOP_TEXTS.addToCart}
            </Button>
          )}
          <Button size="lg" busy={busy === 'buy'} {...closed} onClick={() => run('buy', buyNow)}>
            {SHOP_TEXTS.buyNow}
          </Button>
        </div>
        <div className={`${styles.pair} ${styles.secondaryButtons}`}>
          {item.kind === 'item' && <SendAsGift item={item} />}
          <WishButton item={item} />
        </div>
        <p className={text.quiet}>{item.kind === 'service' ? SERVICE_TEXTS.about : ARRIVAL}</p>
        <dl className={styles.list}>
          <dt>Type</dt>
          <dd>
            <Link to={shopPath({ category: item.category, page: 1, q: '', sort: '' })}>
              {shelf?.category_name ?? 'Item Shop'}
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

const ARRIVAL = 'It arrives in your item bank in the game. Purchase History shows when.'

/** The button that puts an item on the wish list. */
function WishButton({ item }: { item: ShopItem }) {
  const loginFirst = useLoginFirst()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const add = async () => {
    if (!loginFirst()) return
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
    <Button tone="secondary" busy={busy} onClick={() => void add()}>
      {WISH_LIST_TEXTS.add}
    </Button>
  )
}

/** The button that sends an item to another player, with its dialog, which an address can open. */
function SendAsGift({ item }: { item: ShopItem }) {
  const wanted = usePageSearch(itemSearch)
  const closed = usePurchasesClosed()
  const isAddressed = useHydrated() && wanted.gift && closed === undefined
  const loginFirst = useLoginFirst()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address opens the dialog once
  useEffect(() => {
    if (isAddressed && loginFirst()) setOpen(true)
  }, [isAddressed])
  const close = () => {
    setOpen(false)
    if (wanted.gift) void navigate(itemPath(item.ProductNum), { replace: true, preventScrollReset: true })
  }
  return (
    <>
      <Button
        tone="secondary"
        {...closed}
        onClick={() => {
          if (loginFirst()) setOpen(true)
        }}
      >
        {GIFT_TEXTS.send}
      </Button>
      <GiftDialog open={isOpen} item={item} to={wanted.to} onClose={close} />
    </>
  )
}
