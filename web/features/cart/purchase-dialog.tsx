import { useState } from 'react'
import { DIALOG } from '#contract/messages.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { costOf, isShort, missingMoney, purseOf } from '#web/features/shop/amounts.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './purchase-dialog.module.css'
import { PurchaseLines } from './purchase-lines.tsx'
import { PurchaseSums } from './purchase-sums.tsx'
import type { Purchase, PurchasePhase } from './purchase-types.ts'

type PurchaseDialogProps = {
  /** Null while nothing is asked. */
  purchase: Pick<Purchase, 'lines' | 'notes'> | null
  phase: PurchasePhase
  user: { UserPoint: number; UserPoint2: number } | undefined
  onConfirm: () => void
  onClose: () => void
}

const NO_ANSWER = 'There was no answer. Trying again is safe: you pay once at most.'

/** Asks before buying (SPEC §5): the items, the price, the balance now and after, and what is missing with the way to top up. */
export function PurchaseDialog({ purchase, phase, user, onConfirm, onClose }: PurchaseDialogProps) {
  const [shown, setShown] = useState(purchase)
  if (purchase !== null && purchase !== shown) setShown(purchase)
  if (shown === null) return null
  const cost = costOf(shown.lines)
  const purse = purseOf(user ?? { UserPoint: 0, UserPoint2: 0 })
  const missing = missingMoney(cost, purse)
  const short = isShort(missing)
  return (
    <Dialog
      open={purchase !== null}
      title={SHOP.confirmBuy}
      onClose={phase === 'running' ? undefined : onClose}
      tone={short || phase === 'unanswered' ? 'error' : 'ask'}
      actions={
        <>
          <Button tone="secondary" onClick={onClose} disabled={phase === 'running'}>
            {DIALOG.cancel}
          </Button>
          {short && (
            <ButtonLink to="/topup" onClick={onClose}>
              Top Up R-Coin
            </ButtonLink>
          )}
          <Button tone={short ? 'secondary' : 'primary'} busy={phase === 'running'} onClick={onConfirm}>
            {phase === 'unanswered' ? 'Try again' : DIALOG.confirm}
          </Button>
        </>
      }
    >
      <PurchaseLines lines={shown.lines} />
      {shown.notes.length > 0 && (
        <ul className={styles.notes}>
          {shown.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <PurchaseSums cost={cost} purse={purse} missing={missing} />
      {phase === 'unanswered' && (
        <p className={styles.unanswered} role="alert">
          {NO_ANSWER}
        </p>
      )}
    </Dialog>
  )
}
