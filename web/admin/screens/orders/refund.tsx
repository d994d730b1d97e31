import { type ReactNode, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import { previewRefund, refundOrders, UNITS_AT_ONCE } from '#contract/orders.ts'
import { getAlertText } from '#web/api/call.ts'
import { showToast } from '#web/ui/toast.ts'
import { ConfirmationDialog } from '../../kit/action.tsx'
import { deskCall } from '../../kit/call.ts'
import { Money } from '../../kit/facts.tsx'
import styles from './orders.module.css'

type Preview = CallOutput<typeof previewRefund>
type RefundTarget = { units?: readonly number[]; orders?: readonly string[] }

const FINAL_REASONS = 'claimed in the game, drawn from a capsule or a gift from the team'

/**
 * Returns a refund dialog, which shows the effect of the refund as the server computes it. `openDialog` opens it for
 * units or whole orders; render `dialog`.
 */
export function useRefund(): {
  openDialog: (target: RefundTarget) => Promise<void>
  busy: boolean
  dialog: ReactNode
} {
  const [busy, setBusy] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [preview, setPreview] = useState<Preview | null>(null)

  const openDialog = async ({ units = [], orders = [] }: RefundTarget) => {
    setBusy(true)
    try {
      const newPreview = await deskCall(previewRefund, { units: units.join(','), orders: orders.join(',') })
      if (newPreview.units.length === 0)
        return void showToast(
          'note',
          `There is nothing to refund. Each unit has already been refunded, waits for its refund, or is final (${FINAL_REASONS}).`,
        )
      if (newPreview.too_many)
        return void showToast('error', `That is more than ${UNITS_AT_ONCE} units. Please choose fewer.`)
      setPreview(newPreview)
      setOpen(true)
    } catch (error) {
      void showToast('error', getAlertText(error))
    } finally {
      setBusy(false)
    }
  }

  const count = preview?.units.length ?? 0
  const dialog = preview !== null && (
    <ConfirmationDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      endpoint={refundOrders}
      input={{ units: preview.units }}
      confirmation={{
        title: `Refund ${formatPlural(count, 'unit')}?`,
        action: `Refund ${formatPlural(count, 'unit')}`,
        text: <RefundEffects preview={preview} />,
        reason: 'required',
        reasonHint: 'Stored in the audit log',
      }}
    />
  )
  return { openDialog, busy, dialog }
}

/** Shows the effect of a refund as the server computes it. */
function RefundEffects({ preview }: { preview: Preview }) {
  return (
    <ul className={styles.effects}>
      {preview.pay.units > 0 && (
        <li>
          <b>{formatPlural(preview.pay.units, 'unit')}</b> cannot be in the game. <MoneySum amounts={preview.pay} />{' '}
          goes back to {formatPlayers(preview.players)} right away.
        </li>
      )}
      {preview.request.units > 0 && (
        <li>
          <b>{formatPlural(preview.request.units, 'unit')}</b> may be in the game. The bridge first tries to take{' '}
          {preview.request.units === 1 ? 'it' : 'them'} out of the game. If that works,{' '}
          <MoneySum amounts={preview.request} /> is paid back.
        </li>
      )}
      {preview.refunded > 0 && (
        <li>
          {formatPlural(preview.refunded, 'unit')} {preview.refunded === 1 ? 'was' : 'were'} already refunded and will
          stay as {preview.refunded === 1 ? 'it is' : 'they are'}.
        </li>
      )}
      {preview.final > 0 && (
        <li>
          {formatPlural(preview.final, 'unit')} {preview.final === 1 ? 'is' : 'are'} final ({FINAL_REASONS}) and will
          stay as {preview.final === 1 ? 'it is' : 'they are'}.
        </li>
      )}
      {preview.waiting.length > 0 && (
        <li>
          {formatPlural(preview.waiting.length, 'unit')} {preview.waiting.length === 1 ? 'is' : 'are'} already waiting
          for the bridge and will stay as {preview.waiting.length === 1 ? 'it is' : 'they are'}.
        </li>
      )}
      {preview.older > 0 && (
        <li>
          <Money amount={preview.older} /> of this sum was paid more than 7 days ago and counts against your limit.
          Above the limit, a colleague, if you have one, has to approve first.
        </li>
      )}
    </ul>
  )
}

const formatPlayers = (players: number) => (players === 1 ? 'the player' : `${players} players`)

function MoneySum({ amounts: { r_coin, milleage } }: { amounts: Preview['pay'] }) {
  return (
    <>
      {r_coin > 0 && <Money amount={r_coin} currency="rCoin" />}
      {r_coin > 0 && milleage > 0 && ' and '}
      {milleage > 0 && <Money amount={milleage} currency="milleage" />}
    </>
  )
}
