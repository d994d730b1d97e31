import { SERVICE_TEXTS } from '#contract/services.ts'
import { SHOP_TEXTS, type ShopItem } from '#contract/shop.ts'
import {
  getSharedWishList,
  getWishList,
  hideWishList,
  removeWish,
  shareWishList,
  WISH_LIST_TEXTS,
} from '#contract/wishes.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call, isNotFoundError } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { useBuyNow } from '#web/features/cart/purchase-dialog.tsx'
import { useAddToCart } from '#web/features/cart/use-cart.ts'
import { FromTheShop } from '#web/features/shop/from-the-shop.tsx'
import { ItemPicture, ItemPrice } from '#web/features/shop/item-parts.tsx'
import { PurchasesClosed, useClosedPurchaseProps } from '#web/features/shop/purchases-closed.tsx'
import { getGiftPath, getItemPath } from '#web/features/shop/shop-view.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './wish-list-page.module.css'
import { wishSearch } from './wish-list-view.ts'

/** The player's wish list, or a friend's behind a link. Its HTML is the same for every visitor. */
export default function WishListPage() {
  const { of: friendToken } = usePageSearch(wishSearch)
  const isReady = useHydrated()
  const userNum = useSession()?.user.UserNum ?? 0
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.shop]}
        crumb={WISH_LIST_TEXTS.title}
        title={WISH_LIST_TEXTS.title}
        lines={[WISH_LIST_TEXTS.line]}
      />
      <PurchasesClosed />
      <div className={layout.stack}>
        {!isReady ? (
          <WishListSkeleton />
        ) : friendToken !== '' ? (
          <SharedWishList token={friendToken} />
        ) : userNum > 0 ? (
          <MyList key={userNum} />
        ) : (
          <Panel title={WISH_LIST_TEXTS.title}>
            <EmptyState
              title="Log in to see your wish list"
              action={<ButtonLink to="/login?next=/wishlist">Log in</ButtonLink>}
            />
          </Panel>
        )}
      </div>
    </>
  )
}

function WishListSkeleton() {
  return (
    <Panel title={WISH_LIST_TEXTS.title}>
      <Loading className={layout.padded}>
        <Skeleton width="100%" height={260} />
      </Loading>
    </Panel>
  )
}

function MyList() {
  const { data, isError, refetch } = useCall(getWishList, {}, { staleTime: 0, retry: false })
  const [busy, attempt] = useAttempt()
  const addToCart = useAddToCart()
  const { buyNow, dialog } = useBuyNow()
  const closedProps = useClosedPurchaseProps()
  const runAction = (makeCall: () => Promise<{ message: string }>) =>
    attempt(async () => {
      void showToast('done', (await makeCall()).message)
      await refetch()
    })
  if (data === undefined)
    return isError ? (
      <Panel title={WISH_LIST_TEXTS.title}>
        <EmptyState title={WISH_LIST_TEXTS.failed} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      </Panel>
    ) : (
      <WishListSkeleton />
    )
  const { items, token } = data
  const link = token === null ? null : `${location.origin}/wishlist?of=${token}`
  return (
    <>
      <Panel title="Your wishes">
        {items.length === 0 ? (
          <EmptyState
            title={WISH_LIST_TEXTS.empty}
            line={WISH_LIST_TEXTS.emptyLine}
            action={<ButtonLink to="/itemshop">Open the Item Shop</ButtonLink>}
          />
        ) : (
          <WishItems
            items={items}
            renderAction={(item) => (
              <div className={styles.buttons}>
                <Button
                  {...closedProps}
                  onClick={() => void buyNow(item)}
                  aria-label={`${SHOP_TEXTS.buyNow}: ${item.ItemName}`}
                >
                  {SHOP_TEXTS.buyNow}
                </Button>
                {item.kind === 'item' && (
                  <Button
                    tone="secondary"
                    onClick={() => void addToCart(item)}
                    aria-label={`${SHOP_TEXTS.addToCart}: ${item.ItemName}`}
                  >
                    {SHOP_TEXTS.addToCart}
                  </Button>
                )}
                <Button
                  tone="quiet"
                  busy={busy}
                  onClick={() => void runAction(() => call(removeWish, { productnum: item.ProductNum }))}
                >
                  Remove<span className="visually-hidden"> {item.ItemName}</span>
                </Button>
              </div>
            )}
          />
        )}
      </Panel>
      <Panel title="For friends">
        <div className={`${layout.padded} ${layout.stack}`}>
          <p>
            {link === null
              ? 'Only you can see this list. Create a link and share it with friends.'
              : 'Anyone with this link can see your user ID and this list. A new link replaces this one.'}
          </p>
          {link !== null && <code className={styles.link}>{link}</code>}
          <div className={layout.buttons}>
            {link !== null && <CopyButton text={link} what="the link" />}
            <Button
              tone={link === null ? 'primary' : 'secondary'}
              busy={busy}
              onClick={() => void runAction(() => call(shareWishList, {}))}
            >
              {link === null ? 'Create a link' : 'New link'}
            </Button>
            {link !== null && (
              <Button tone="secondary" busy={busy} onClick={() => void runAction(() => call(hideWishList, {}))}>
                Stop sharing
              </Button>
            )}
          </div>
        </div>
      </Panel>
      <FromTheShop className={layout.wideOnly} excludedIds={items.map(({ ProductNum }) => ProductNum)} />
      {dialog}
    </>
  )
}

function SharedWishList({ token }: { token: string }) {
  const { data, error, refetch } = useCall(getSharedWishList, { token }, { staleTime: 0, retry: false })
  if (data === undefined) {
    if (error === null) return <WishListSkeleton />
    const isNotFound = isNotFoundError(error)
    return (
      <Panel title={WISH_LIST_TEXTS.title}>
        <EmptyState
          title={isNotFound ? WISH_LIST_TEXTS.listNotFound : WISH_LIST_TEXTS.failed}
          action={
            isNotFound ? (
              <ButtonLink to="/itemshop">Open the Item Shop</ButtonLink>
            ) : (
              <Button onClick={() => void refetch()}>Try again</Button>
            )
          }
        />
      </Panel>
    )
  }
  return (
    <Panel title={`Wishes of ${data.user_id}`}>
      {data.items.length === 0 ? (
        <EmptyState title={`${data.user_id} has no wishes right now`} />
      ) : (
        <WishItems
          items={data.items}
          renderAction={(item) =>
            item.kind === 'item' ? (
              <ButtonLink to={getGiftPath(item.ProductNum, data.user_id)}>
                Send<span className="visually-hidden"> {item.ItemName}</span> as a gift
              </ButtonLink>
            ) : (
              <p>{SERVICE_TEXTS.notAGift}</p>
            )
          }
        />
      )}
    </Panel>
  )
}

function WishItems({
  items,
  renderAction,
}: {
  items: readonly ShopItem[]
  renderAction: (item: ShopItem) => React.ReactNode
}) {
  return (
    <ul className={`${layout.rows} ${styles.items}`}>
      {items.map((item) => (
        <li key={item.ProductNum}>
          <Link to={getItemPath(item.ProductNum)} className={styles.item}>
            <ItemPicture item={item} isLazy />
            <span>
              <b>{item.ItemName}</b>
              <span className={styles.price}>
                <ItemPrice item={item} markSize={18} />
              </span>
            </span>
          </Link>
          {renderAction(item)}
        </li>
      ))}
    </ul>
  )
}
