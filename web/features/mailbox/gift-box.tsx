import { useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatGift } from '#contract/gifts.ts'
import { claimLetterGift, MAILBOX_TEXTS, type openLetter, refuseLetterGift } from '#contract/mailbox.ts'
import { attempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { saveBalances } from '#web/api/session.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { ItemPicture } from '#web/features/shop/item-parts.tsx'
import { createKeyedSend } from '#web/forms/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import layout from '#web/ui/layout.module.css'
import { showToast } from '#web/ui/toast.ts'
import styles from './mailbox-page.module.css'

type Gift = NonNullable<CallOutput<typeof openLetter>['letter']['gift']>

type GiftBoxProps = { letter: number; gift: Gift; onChanged: () => Promise<void> }

/** Shows a letter's gift, with buttons to claim or refuse it. */
export function GiftBox({ letter, gift, onChanged }: GiftBoxProps) {
  const [busyChoice, setBusyChoice] = useState<'claim' | 'refuse' | null>(null)
  const [isConfirmingRefusal, setIsConfirmingRefusal] = useState(false)
  const [send] = useState(createKeyedSend)
  const answerGift = async (choice: 'claim' | 'refuse') => {
    setBusyChoice(choice)
    await attempt(async () => {
      const answer = await send({ what: choice }, (idempotencyKey) =>
        call(choice === 'claim' ? claimLetterGift : refuseLetterGift, { letter }, { idempotencyKey }),
      )
      if ('userPoints' in answer) saveBalances(answer)
      void showToast('done', answer.message)
    })
    await onChanged()
    setBusyChoice(null)
    setIsConfirmingRefusal(false)
  }
  const names = useCurrencyNames()
  const CurrencyMark = gift.currency === 'r_coin' ? CoinMark : MilleageMark
  return (
    <section className={styles.gift} aria-label="Gift">
      {gift.amount === null ? (
        <ItemPicture item={gift} />
      ) : (
        <span className={styles.coin}>
          <CurrencyMark size={40} />
        </span>
      )}
      <h3>{formatGift(gift, names)}</h3>
      {gift.state === 'open' ? (
        <div className={layout.buttons}>
          <Button tone="paper" size="lg" busy={busyChoice === 'claim'} onClick={() => void answerGift('claim')}>
            Claim
          </Button>
          {gift.bought && (
            <Button tone="secondary" size="lg" onClick={() => setIsConfirmingRefusal(true)}>
              Refuse
            </Button>
          )}
        </div>
      ) : (
        <p>{gift.state === 'claimed' ? 'You have claimed this gift.' : MAILBOX_TEXTS.giftGone}</p>
      )}
      <Dialog
        open={isConfirmingRefusal}
        title="Refuse this gift?"
        onClose={busyChoice === null ? () => setIsConfirmingRefusal(false) : undefined}
        actions={
          <>
            <Button tone="secondary" disabled={busyChoice !== null} onClick={() => setIsConfirmingRefusal(false)}>
              Keep it
            </Button>
            <Button busy={busyChoice === 'refuse'} onClick={() => void answerGift('refuse')}>
              Refuse the gift
            </Button>
          </>
        }
      >
        <p>The sender gets their money back. You can’t undo this.</p>
      </Dialog>
    </section>
  )
}
