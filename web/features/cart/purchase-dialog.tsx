import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { buyItem } from '#contract/cart.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { GIFT_TEXTS } from '#contract/gifts.ts'
import { LINE_QUANTITY_MAX } from '#contract/limits.ts'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import { formatItemName, SERVICE_TEXTS } from '#contract/services.ts'
import { SHOP_TEXTS, type ShopItem } from '#contract/shop.ts'
import { call, createIdempotencyKey, isRefusedBeforeRun, mayHaveTakenEffect } from '#web/api/call.ts'
import { PRIVATE_DATA_KEY, toOptions } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { refreshSession } from '#web/api/session-actions.ts'
import { computeShortfall, getCurrency, hasShortfall, sumCosts, toBalances } from '#web/features/shop/amounts.ts'
import { ItemPicture, Price } from '#web/features/shop/item-parts.tsx'
import { PurchaseSums, useFrozenValue } from '#web/features/shop/purchase-sums.tsx'
import { ServiceChange } from '#web/features/shop/service-change.tsx'
import { getGiftPath, getItemQuery } from '#web/features/shop/shop-view.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { describePriceChanges } from './cart.ts'
import styles from './purchase-dialog.module.css'
import type { ChosenService } from './service-dialog.tsx'
import { alertRefusal, reloadCart, useRequireLogin } from './use-cart.ts'

const ServiceDialog = lazyPart(async () => (await import('./service-dialog.tsx')).ServiceDialog)

type PurchaseLine = { shopitem: ShopItem; quantity: number }

/** A purchase that waits for the player's confirmation. */
type Purchase = {
  lines: readonly PurchaseLine[]
  /** Notes about the purchase, such as a changed price. */
  notes: readonly string[]
  /** The maximum quantity, for a single item. Otherwise the lines contain the quantities. */
  maxQuantity?: number
  /** The character and the change of a service. */
  service?: ChosenService
  /** The address that opens the item's gift dialog, if the item can be a gift. */
  giftUrl?: string
  /** Makes the call; calls with the same key take effect once. `quantity` is the chosen one. */
  send: (idempotencyKey: string, quantity: number) => Promise<CallOutput<typeof buyItem>>
}

/** `unanswered`: the response was lost, so the call may have taken effect. It can be retried safely. */
type Phase = 'confirming' | 'running' | 'unanswered'

/**
 * Prompts for confirmation, buys, and applies the response: the message, both balances in every tab, and the new cart
 * (BUY-1). Retries of a purchase use the same Idempotency-Key. Render `dialog` on the page.
 */
export function usePurchase() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const user = useSession()?.user
  const [purchase, setPurchase] = useState<Purchase | null>(null)
  const [phase, setPhase] = useState<Phase>('confirming')
  const [quantity, setQuantity] = useState(1)
  const idempotencyKey = useRef('')
  const reload = async () => {
    await reloadCart(client)
    await client.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY, user?.UserNum ?? 0] })
  }

  const promptForPurchase = async (newPurchase: Purchase) => {
    // The dialog shows the server's current balances and prices.
    await refreshSession().catch(() => undefined)
    idempotencyKey.current = createIdempotencyKey()
    setPhase('confirming')
    setQuantity(1)
    setPurchase(newPurchase)
  }

  const confirmPurchase = async () => {
    if (purchase === null || phase === 'running') return
    setPhase('running')
    try {
      const answer = await purchase.send(idempotencyKey.current, quantity)
      saveBalances(answer)
      const to = '/shoppurchases'
      const action = { label: 'View purchases', to, onPress: () => void navigate(to) }
      void showToast('done', answer.message, { action })
    } catch (error) {
      alertRefusal(error)
      // If this attempt was refused before it ran, the outcome of an earlier attempt is still unknown.
      const isOutcomeUnknown = mayHaveTakenEffect(error) || (phase === 'unanswered' && isRefusedBeforeRun(error))
      if (isOutcomeUnknown) return setPhase('unanswered')
    }
    setPurchase(null)
    await reload()
  }

  const close = () => {
    setPurchase(null)
    if (phase !== 'unanswered') return
    // The player gave up without a response, so the purchase may have taken effect.
    void refreshSession().catch(() => undefined)
    void reload()
  }

  const dialog = (
    <PurchaseDialog
      purchase={purchase}
      phase={phase}
      user={user}
      quantity={quantity}
      onQuantityChange={setQuantity}
      onConfirm={() => void confirmPurchase()}
      onClose={close}
    />
  )
  return { promptForPurchase, dialog }
}

/**
 * 'Buy now' (SHOP-3, BUY-1, SERVICE-2): loads the item's current price, prompts for the quantity or for a service's
 * character, and buys. Render `dialog` on the page.
 */
export function useBuyNow() {
  const requireLogin = useRequireLogin()
  const client = useQueryClient()
  const { promptForPurchase, dialog } = usePurchase()
  const [service, setService] = useState<{ item: ShopItem; notes: readonly string[] } | null>(null)

  const buyNow = async (shownItem: ShopItem) => {
    if (!requireLogin({ buy: shownItem.ProductNum })) return
    try {
      const item = await client.fetchQuery({ ...toOptions(getItemQuery(shownItem.ProductNum)), staleTime: 0 })
      const notes = describePriceChanges([shownItem], [item])
      if (item.kind === 'service') return setService({ item, notes })
      await promptForPurchase({
        lines: [{ shopitem: item, quantity: 1 }],
        notes,
        maxQuantity: Math.min(LINE_QUANTITY_MAX, item.account_limit ?? LINE_QUANTITY_MAX),
        giftUrl: getGiftPath(item.ProductNum),
        send: (idempotencyKey, quantity) =>
          call(buyItem, { productnum: item.ProductNum, quantity }, { idempotencyKey }),
      })
    } catch (error) {
      alertRefusal(error)
    }
  }

  const buyService = async ({ item, notes }: NonNullable<typeof service>, chosenService: ChosenService) => {
    const { character, choice } = chosenService
    await promptForPurchase({
      lines: [{ shopitem: item, quantity: 1 }],
      notes,
      service: chosenService,
      send: (idempotencyKey) =>
        call(buyItem, { productnum: item.ProductNum, quantity: 1, character, choice }, { idempotencyKey }),
    })
    setService(null)
  }

  return {
    buyNow,
    dialog: (
      <>
        {service !== null && (
          <Suspense>
            <ServiceDialog
              item={service.item}
              onClose={() => setService(null)}
              onChoose={(chosenService) => buyService(service, chosenService)}
            />
          </Suspense>
        )}
        {dialog}
      </>
    ),
  }
}

type PurchaseDialogProps = {
  /** Null if there is nothing to confirm. */
  purchase: Pick<Purchase, 'lines' | 'notes' | 'maxQuantity' | 'service' | 'giftUrl'> | null
  phase: Phase
  /** The chosen quantity of a single item. */
  quantity: number
  onQuantityChange: (quantity: number) => void
  user: { UserPoint: number; UserPoint2: number } | undefined
  onConfirm: () => void
  onClose: () => void
}

const SHORTFALL_ID = 'missing-money'
const NO_ANSWER_TEXT = 'The server didn’t answer. It is safe to try again: you won’t pay twice.'

/**
 * Prompts for confirmation (BUY-1). Shows the items, the price, the balance before and after, and ways to get missing
 * money.
 */
function PurchaseDialog({
  purchase,
  phase,
  quantity,
  onQuantityChange,
  onConfirm,
  onClose,
  ...props
}: PurchaseDialogProps) {
  const [content, setContent] = useState(purchase)
  const user = useFrozenValue(props.user, purchase === null || phase !== 'confirming')
  if (purchase !== null && purchase !== content) setContent(purchase)
  if (content === null) return null
  const { maxQuantity } = content
  const lines = maxQuantity === undefined ? content.lines : content.lines.map((line) => ({ ...line, quantity }))
  const units = lines.reduce((sum, line) => sum + line.quantity, 0)
  const cost = sumCosts(lines)
  const balances = toBalances(user ?? { UserPoint: 0, UserPoint2: 0 })
  const shortfall = computeShortfall(cost, balances)
  const isBalanceShort = hasShortfall(shortfall)
  return (
    <Dialog
      open={purchase !== null}
      title={content.service === undefined ? SHOP_TEXTS.confirmBuy : SERVICE_TEXTS.confirmBuy}
      onClose={phase === 'running' ? undefined : onClose}
      tone={isBalanceShort || phase === 'unanswered' ? 'error' : 'ask'}
      actions={
        <>
          <Button tone="secondary" onClick={onClose} disabled={phase === 'running'}>
            {DIALOG_TEXTS.cancel}
          </Button>
          {shortfall.rCoin > 0 && (
            <ButtonLink to="/topup" onClick={onClose}>
              <CurrencyText>Top Up R-Coin</CurrencyText>
            </ButtonLink>
          )}
          <Button
            tone={isBalanceShort ? 'secondary' : 'primary'}
            busy={phase === 'running'}
            disabled={phase === 'confirming' && shortfall.milleage > 0}
            aria-describedby={shortfall.milleage > 0 ? SHORTFALL_ID : undefined}
            onClick={onConfirm}
          >
            {phase === 'unanswered' ? 'Try again' : DIALOG_TEXTS.confirm}
          </Button>
        </>
      }
    >
      <PurchaseLines lines={lines} />
      {maxQuantity !== undefined && maxQuantity > 1 && phase === 'confirming' && (
        <QuantityRow
          item={lines[0]?.shopitem}
          maxQuantity={maxQuantity}
          quantity={quantity}
          onQuantityChange={onQuantityChange}
        />
      )}
      {content.service !== undefined && (
        <div className={styles.service}>
          <p>
            For <b>{content.service.name}</b>
          </p>
          <ServiceChange before={content.service.before} after={content.service.after} />
        </div>
      )}
      {content.notes.length > 0 && (
        <ul className={styles.notes}>
          {content.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <PurchaseSums cost={cost} balances={balances} units={units} shortfallId={SHORTFALL_ID} />
      {content.giftUrl !== undefined && phase === 'confirming' && (
        <p>
          For a friend?{' '}
          <Link to={content.giftUrl} onClick={onClose} className={styles.gift}>
            {GIFT_TEXTS.send}
          </Link>
        </p>
      )}
      {phase === 'unanswered' && (
        <p className={styles.noAnswer} role="alert">
          {NO_ANSWER_TEXT}
        </p>
      )}
    </Dialog>
  )
}

/** The lines of a purchase with picture, quantity and price. */
function PurchaseLines({ lines }: { lines: readonly PurchaseLine[] }) {
  return (
    <ul className={`${styles.lines} quiet-scroll`}>
      {lines.map(({ shopitem, quantity }) => (
        <li key={shopitem.ProductNum} className={lines.length === 1 ? styles.singleLine : styles.line}>
          <ItemPicture item={shopitem} className={styles.picture} />
          <span className={styles.name}>{formatItemName(shopitem.ItemName, shopitem.service)}</span>
          {lines.length > 1 && <span className={styles.quantity}>{`× ${quantity}`}</span>}
          <span className={styles.amount}>
            {lines.length === 1 && quantity > 1 && <span className={text.quiet}>{`${quantity} × `}</span>}
            {shopitem.price === 0 ? (
              'Free'
            ) : (
              <Price
                amount={lines.length === 1 ? shopitem.price : shopitem.price * quantity}
                currency={getCurrency(shopitem.section)}
              />
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

type QuantityRowProps = {
  item: ShopItem | undefined
  maxQuantity: number
  quantity: number
  onQuantityChange: (quantity: number) => void
}

/** The field for the quantity of an item (BUY-9). */
function QuantityRow({ item, maxQuantity, quantity, onQuantityChange }: QuantityRowProps) {
  if (item === undefined) return null
  const changeQuantity = (newQuantity: number) => onQuantityChange(Math.min(maxQuantity, Math.max(1, newQuantity)))
  return (
    <div className={styles.quantityRow}>
      <span aria-hidden="true">Quantity</span>
      <Stepper
        what={item.ItemName}
        quantity={quantity}
        fullMessage={
          quantity < maxQuantity
            ? undefined
            : maxQuantity === LINE_QUANTITY_MAX
              ? SHOP_TEXTS.lineFull
              : `${maxQuantity} per account`
        }
        onStep={(step) => changeQuantity(quantity + step)}
        onType={changeQuantity}
      />
    </div>
  )
}
