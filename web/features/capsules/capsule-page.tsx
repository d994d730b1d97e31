import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import {
  CAPSULE_TEXTS,
  drawCapsule,
  getCapsule,
  getCapsuleChances,
  getRarity,
  SPENDING_SUMMARY_DAYS,
} from '#contract/capsules.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import { alertFailure } from '#web/api/attempt.ts'
import { call, createIdempotencyKey, mayHaveTakenEffect } from '#web/api/call.ts'
import { readId } from '#web/api/page.ts'
import { PRIVATE_DATA_KEY, useCall } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { useRequireLogin } from '#web/features/cart/use-cart.ts'
import { getCurrency, sumCosts, toBalances } from '#web/features/shop/amounts.ts'
import { ItemPicture, Price } from '#web/features/shop/item-parts.tsx'
import { PurchaseSums, useFrozenValue } from '#web/features/shop/purchase-sums.tsx'
import { PurchasesClosed, useClosedPurchaseProps } from '#web/features/shop/purchases-closed.tsx'
import { getItemPath } from '#web/features/shop/shop-view.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { type Capsule, CapsuleDrop, CapsuleMachine, RarityMark } from './capsule-machine.tsx'
import styles from './capsules.module.css'
import { DrawLimit } from './draw-limit.tsx'
import { Draws } from './draws.tsx'

type Chances = CallOutput<typeof getCapsuleChances>
type DrawnItem = CallOutput<typeof drawCapsule>['drawn']

/** A capsule's page: all chances, the button to draw, and the player's draws. */
export default function CapsulePage() {
  const id = readId(useParams().capsule)
  const { data: answer, refetch } = useCall(getCapsule, { capsule: id }, { retry: false })
  const userNum = useSession()?.user.UserNum ?? 0
  const chances = useCall(
    getCapsuleChances,
    { capsule: id },
    { enabled: userNum > 0 && answer !== undefined, staleTime: 0, retry: false },
  )
  if (answer === undefined) return null
  const { data: capsule } = answer
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.shop, PARENT_PAGES.capsules]}
        crumb={capsule.name}
        title={capsule.name}
        lines={[capsule.description]}
      />
      <PurchasesClosed />
      <div className={styles.page}>
        <MachinePanel
          capsule={capsule}
          chances={chances.data}
          onChanged={async () => {
            await Promise.all([refetch(), chances.refetch()])
          }}
        />
        <ChancesTable capsule={capsule} chances={chances.data} />
        {userNum > 0 && (
          <div className={layout.panels}>
            {chances.data !== undefined && (
              <DrawLimit
                limit={chances.data.limit}
                onChanged={async () => {
                  await chances.refetch()
                }}
              />
            )}
            <Draws key={userNum} />
          </div>
        )}
      </div>
    </>
  )
}

/** Formats a chance as a percentage of the total, with at most four decimals. */
const formatChance = (chance: number, totalChance: number) => `${Number(((chance / totalChance) * 100).toFixed(4))}%`

type MachinePanelProps = { capsule: Capsule; chances: Chances | undefined; onChanged: () => Promise<void> }

function MachinePanel({ capsule, chances, onChanged }: MachinePanelProps) {
  const closedProps = useClosedPurchaseProps()
  const { openDialog, dialog } = useDraw({ capsule, chances, onChanged })
  return (
    <Panel>
      <div className={styles.card}>
        <CapsuleMachine capsule={capsule} />
        <div className={styles.text}>
          <p className={styles.price}>
            <Price amount={capsule.price} currency={getCurrency(capsule.section)} markSize={34} />
          </p>
          <p>{CAPSULE_TEXTS.drawnOnce}</p>
          <p className={text.quiet}>{CAPSULE_TEXTS.final}</p>
          <SpentNote chances={chances} />
          <div className={`${layout.buttons} ${styles.buttons}`}>
            <Button size="lg" {...closedProps} onClick={openDialog}>
              {CAPSULE_TEXTS.draw}
            </Button>
            <ButtonLink size="lg" tone="quiet" to="/capsuleshop">
              All capsules
            </ButtonLink>
          </div>
        </div>
      </div>
      {dialog}
    </Panel>
  )
}

/** Shows the player's recent spending on draws. */
function SpentNote({ chances }: { chances: Chances | undefined }) {
  const { r_coin = 0, milleage = 0 } = chances?.spent ?? {}
  if (r_coin + milleage === 0) return null
  return (
    <p className={styles.spentNote}>
      In the last {SPENDING_SUMMARY_DAYS} days you spent {r_coin > 0 && <Price amount={r_coin} currency="rCoin" />}
      {r_coin > 0 && milleage > 0 && ' and '}
      {milleage > 0 && <Price amount={milleage} currency="milleage" />} on capsules.
    </p>
  )
}

/** Lists every chance of a capsule, and the remaining chances of the player's next draw (CAPSULE-1). */
function ChancesTable({ capsule, chances }: { capsule: Capsule; chances: Chances | undefined }) {
  const currentChances = chances?.version === capsule.version ? chances : undefined
  const nextChances = new Map(currentChances?.prizes.map(({ product_num, chance }) => [product_num, chance]))
  const totalChance = currentChances?.out_of ?? 1_000_000
  const hasDrawn = currentChances?.prizes.some(({ chance }) => chance === 0) ?? false
  return (
    <Panel title={currentChances === undefined ? 'Chances' : 'Chances of your next draw'}>
      <table className={styles.table}>
        <caption className="visually-hidden">What is in this capsule</caption>
        <thead>
          <tr>
            <th scope="col">Item</th>
            {hasDrawn && (
              <th scope="col" className={styles.startChance}>
                At the start
              </th>
            )}
            <th scope="col">Chance</th>
          </tr>
        </thead>
        <tbody>
          {capsule.prizes.map((prize) => {
            const chance = nextChances.get(prize.product_num) ?? prize.chance
            return (
              <tr key={prize.product_num} data-drawn={chance === 0 || undefined}>
                <th scope="row">
                  <Link to={getItemPath(prize.product_num)}>
                    <ItemPicture item={prize} isLazy />
                    <span>
                      {prize.item_name}
                      <br />
                      <RarityMark rarity={getRarity(prize.chance)} />
                    </span>
                  </Link>
                </th>
                {hasDrawn && <td className={styles.startChance}>{formatChance(prize.chance, 1_000_000)}</td>}
                <td>{chance === 0 ? 'You have it' : formatChance(chance, totalChance)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}

/** The duration of the animation in which the capsule drops and opens, in ms. */
const DROP_MS = 1000

type Phase = 'idle' | 'running' | 'unanswered'

/**
 * Confirms a draw, makes it and shows the prize. Retries use the same key until a response arrives, so the player pays
 * only once.
 */
function useDraw({ onChanged, ...currentProps }: MachinePanelProps) {
  const client = useQueryClient()
  const currentUser = useSession()?.user
  const requireLogin = useRequireLogin()
  const [isOpen, setOpen] = useState(false)
  const [phase, setPhase] = useState<Phase>('idle')
  const [drawnItem, setDrawnItem] = useState<DrawnItem | null>(null)
  const [isDropping, setDropping] = useState(false)
  const idempotencyKey = useRef('')
  const isFrozen = phase !== 'idle' || !isOpen
  const capsule = useFrozenValue(currentProps.capsule, isFrozen)
  const chances = useFrozenValue(currentProps.chances, isFrozen)
  const user = useFrozenValue(currentUser, isFrozen)
  const currency = getCurrency(capsule.section)
  const balance = toBalances(user ?? { UserPoint: 0, UserPoint2: 0 })[currency]
  const isBalanceShort = balance < capsule.price

  const openDialog = () => {
    if (!requireLogin()) return
    idempotencyKey.current = createIdempotencyKey()
    setDrawnItem(null)
    setPhase('idle')
    setOpen(true)
  }
  const payAndDraw = async () => {
    setPhase('running')
    try {
      const input = { capsule: capsule.capsule, version: capsule.version }
      const answer = await call(drawCapsule, input, { idempotencyKey: idempotencyKey.current })
      saveBalances(answer)
      setDrawnItem(answer.drawn)
      setDropping(!matchMedia('(prefers-reduced-motion: reduce)').matches)
      setPhase('idle')
    } catch (error) {
      alertFailure(error)
      if (mayHaveTakenEffect(error)) return setPhase('unanswered')
      setOpen(false)
    }
    await onChanged()
    await client.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY, currentUser?.UserNum ?? 0] })
  }
  const close = () => setOpen(false)
  const prize = capsule.prizes.find(({ product_num }) => product_num === drawnItem?.product_num)
  const rarity = getRarity(prize?.chance ?? 1_000_000)
  useEffect(() => {
    if (!isDropping) return
    const timer = setTimeout(() => setDropping(false), DROP_MS)
    return () => clearTimeout(timer)
  }, [isDropping])

  const dialog = (
    <Dialog
      open={isOpen}
      title={
        drawnItem === null
          ? `${CAPSULE_TEXTS.draw} from ${capsule.name}?`
          : isDropping
            ? capsule.name
            : `${CAPSULE_TEXTS.resultPrefix} ${drawnItem.item_name}!`
      }
      tone={drawnItem === null ? 'ask' : 'done'}
      onClose={phase === 'running' ? undefined : close}
      actions={
        <>
          <Button tone="secondary" disabled={phase === 'running'} onClick={close}>
            {drawnItem === null ? DIALOG_TEXTS.cancel : 'Close'}
          </Button>
          {drawnItem !== null && !isDropping && (
            <Button disabled={isBalanceShort} onClick={openDialog}>
              Draw again
            </Button>
          )}
          {drawnItem === null && isBalanceShort && currency === 'rCoin' && (
            <ButtonLink to="/topup" onClick={close}>
              <CurrencyText>Top Up R-Coin</CurrencyText>
            </ButtonLink>
          )}
          {drawnItem === null && !isBalanceShort && (
            <Button busy={phase === 'running'} onClick={() => void payAndDraw()}>
              {phase === 'unanswered' ? 'Try again' : 'Pay and draw'}
            </Button>
          )}
        </>
      }
    >
      <p className="visually-hidden" role="status">
        {drawnItem !== null && !isDropping && `${CAPSULE_TEXTS.resultPrefix} ${drawnItem.item_name}! ${rarity}`}
      </p>
      {drawnItem !== null && isDropping ? (
        <CapsuleDrop rarity={rarity} onSkip={() => setDropping(false)} />
      ) : drawnItem !== null ? (
        <div className={styles.drawnPrize}>
          <ItemPicture item={drawnItem} isLarge />
          <RarityMark rarity={rarity} />
          <p>It is on its way to your item bank.</p>
        </div>
      ) : (
        <>
          <p>{CAPSULE_TEXTS.final}</p>
          <PurchaseSums
            cost={sumCosts([{ shopitem: capsule, quantity: 1 }])}
            balances={toBalances(user ?? { UserPoint: 0, UserPoint2: 0 })}
          />
          <SpentNote chances={chances} />
          {phase === 'unanswered' && (
            <p role="alert">The server didn’t answer. It is safe to try again: you won’t pay twice.</p>
          )}
        </>
      )}
    </Dialog>
  )
  return { openDialog, dialog }
}
