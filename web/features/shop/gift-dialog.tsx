import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatDays } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { findClassByCode, findSchool, formatClass } from '#contract/game.ts'
import { buyGift, checkGift, GIFT_TEXTS } from '#contract/gifts.ts'
import { GIFT_LIFETIME_MS } from '#contract/limits.ts'
import type { ShopItem } from '#contract/shop.ts'
import { call } from '#web/api/call.ts'
import { PRIVATE_DATA_KEY } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { RadioGroup, TextArea } from '#web/forms/fields.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { showToast } from '#web/ui/toast.ts'
import { sumCosts, toBalances } from './amounts.ts'
import styles from './item-page.module.css'
import { ItemPicture } from './item-parts.tsx'
import { PurchaseSums, useFrozenValue } from './purchase-sums.tsx'

type GiftDialogProps = {
  open: boolean
  item: ShopItem
  /** The recipient's user ID in the page's address, or an empty text. */
  recipientId: string
  onClose: () => void
}

const NOTE_MAX = 200

type Kind = 'character' | 'user_id'
const KIND_LABELS = { character: 'Character’s name', user_id: 'User ID' } as const satisfies Record<Kind, string>
const FIELD_LABELS = { character: 'Name of the character', user_id: 'User ID of the player' } as const
const EMPTY_FIELD_TEXTS = {
  character: 'Enter the name of the character.',
  user_id: 'Enter the user ID of the player.',
} as const

/**
 * Buys an item for another player, with a note. It shows the recipient before the payment. Closing the dialog preserves
 * the typed text.
 */
export function GiftDialog({ open, recipientId, onClose, ...currentProps }: GiftDialogProps) {
  const client = useQueryClient()
  const currentUser = useSession()?.user
  const [kind, setKind] = useState<Kind>(recipientId === '' ? 'character' : 'user_id')
  const [recipient, setRecipient] = useState<CallOutput<typeof checkGift> | null>(null)
  const toRecipientInput = (values: Partial<Record<Kind, string>>) => ({
    productnum: currentProps.item.ProductNum,
    [kind]: values[kind] ?? '',
  })
  const { form, field, watch, setValue, setError, createSubmitHandler, reset, busy, failure } = useCallForm(buyGift, {
    defaultValues: { user_id: recipientId, character: '', note: '' },
    input: (values) => ({ ...toRecipientInput(values), note: values.note }),
    onDone: async (answer) => {
      saveBalances(answer)
      void showToast('done', answer.message)
      onClose()
      await client.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY, currentUser?.UserNum ?? 0] })
      reset({ user_id: '', character: '', note: '' })
      setRecipient(null)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: fills in the user ID of the page's address when the dialog opens
  useEffect(() => {
    setRecipient(null)
    if (!open || recipientId === '') return
    setKind('user_id')
    setValue('user_id', recipientId)
  }, [open, recipientId])
  const item = useFrozenValue(currentProps.item, busy || !open)
  const user = useFrozenValue(currentUser, busy || !open)
  const checkRecipient = createSubmitHandler(async (values) => {
    if ((values[kind] ?? '').trim() === '') return setError(kind, EMPTY_FIELD_TEXTS[kind])
    setRecipient(await call(checkGift, toRecipientInput(values), { shellFailures: 'ended-session' }))
  })
  return (
    <Dialog open={open} title={GIFT_TEXTS.send} onClose={busy ? undefined : onClose}>
      <form {...form} onSubmit={recipient === null ? checkRecipient : form.onSubmit} className={layout.stack}>
        <div className={styles.giftItem}>
          <ItemPicture item={item} />
          <p>
            <b>{item.ItemName}</b>
          </p>
        </div>
        {user && <PurchaseSums cost={sumCosts([{ shopitem: item, quantity: 1 }])} balances={toBalances(user)} />}
        <div className={layout.stack} onChange={() => setRecipient(null)}>
          <RadioGroup
            key={recipientId}
            label="Who gets it?"
            name="kind"
            options={Object.values(KIND_LABELS)}
            defaultOption={KIND_LABELS[kind]}
            disabled={busy}
            onChange={({ currentTarget: { value } }) =>
              setKind(value === KIND_LABELS.character ? 'character' : 'user_id')
            }
          />
          <TextField
            key={`${kind} field`}
            label={FIELD_LABELS[kind]}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={busy}
            {...field(kind)}
          />
        </div>
        {recipient !== null && <Recipient recipient={recipient} />}
        <TextArea
          label="Note"
          rows={3}
          readOnly={busy}
          text={watch('note') ?? ''}
          limit={NOTE_MAX}
          {...field('note')}
        />
        <p>
          The gift waits in the player’s mail box for {formatDays(GIFT_LIFETIME_MS)}. If the player refuses it or
          doesn’t claim it in time, you get your money back.
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
            {recipient === null ? 'Continue' : 'Buy and send'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The recipient that the server found: a character with class, school and level, or only a user ID. */
function Recipient({ recipient: { user_id, character } }: { recipient: CallOutput<typeof checkGift> }) {
  if (character === null)
    return (
      <p role="status">
        The gift goes to the player with the user ID <b>{user_id}</b>.
      </p>
    )
  const cls = findClassByCode(character.ChaClass)
  const facts = [
    cls === undefined ? undefined : formatClass(cls),
    findSchool(character.ChaSchool)?.name,
    `level ${character.ChaLevel}`,
  ].filter((fact) => fact !== undefined)
  return (
    <p role="status">
      The gift goes to the player of <b>{character.ChaName}</b>: <span>{facts.join(', ')}</span>.
    </p>
  )
}
