import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { inDays } from '#contract/durations.ts'
import { buyGift, GIFT } from '#contract/gifts.ts'
import { GIFT_WAITS_MS } from '#contract/limits.ts'
import type { ShopItem } from '#contract/shop.ts'
import { MINE } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { TextArea } from '#web/forms/fields.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { showToast } from '#web/ui/toast.ts'
import { sumCosts, toAmounts } from './amounts.ts'
import styles from './item-page.module.css'
import { ItemPicture } from './item-parts.tsx'
import { PurchaseSums, useFrozen } from './purchase-sums.tsx'

type GiftDialogProps = {
  open: boolean
  item: ShopItem
  /** The user ID it is for, if that is known. */
  to: string
  onClose: () => void
}

const NOTE_MAX = 200

/** Buys an item for another player: whom it is for, a note, and the price. What was typed stays until it is sent. */
export function GiftDialog({ open, to, onClose, ...current }: GiftDialogProps) {
  const client = useQueryClient()
  const currentUser = useSession()?.user
  const { form, field, watch, setValue, reset, busy, failure } = useCallForm(buyGift, {
    defaultValues: { user_id: to, note: '' },
    input: ({ user_id, note }) => ({ user_id, note, productnum: current.item.ProductNum }),
    onDone: async (answer) => {
      saveBalances(answer)
      void showToast('done', answer.message)
      onClose()
      await client.invalidateQueries({ queryKey: [MINE, currentUser?.UserNum ?? 0] })
      reset({ user_id: '', note: '' })
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address names the recipient once
  useEffect(() => {
    if (open && to !== '') setValue('user_id', to)
  }, [open, to])
  const item = useFrozen(current.item, busy || !open)
  const user = useFrozen(currentUser, busy || !open)
  return (
    <Dialog open={open} title={GIFT.send} onClose={busy ? undefined : onClose}>
      <form {...form} className={layout.stack}>
        <div className={styles.giftItem}>
          <ItemPicture item={item} />
          <p>
            <b>{item.ItemName}</b>
          </p>
        </div>
        {user && <PurchaseSums cost={sumCosts([{ shopitem: item, quantity: 1 }])} purse={toAmounts(user)} />}
        <TextField
          label="User ID of the player"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={busy}
          {...field('user_id')}
        />
        <TextArea
          label="Note"
          rows={3}
          readOnly={busy}
          text={watch('note') ?? ''}
          limit={NOTE_MAX}
          {...field('note')}
        />
        <p>
          The gift waits in their mail box for {inDays(GIFT_WAITS_MS)}. If they refuse it or don’t claim it, you get
          your money back.
        </p>
        {failure !== null && (
          <p className={styles.failure} role="alert">
            {failure}
          </p>
        )}
        <div className={layout.buttons}>
          <Button tone="secondary" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            Buy and send
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
