import { type ReactNode, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { forceRefund, previewRefund, refundOrders, UNITS_AT_ONCE, withdrawRefund } from '#contract/orders.ts'
import { alertText } from '#web/api/call.ts'
import { showToast } from '#web/ui/toast.ts'
import { deskCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Money } from '../../kit/facts.tsx'
import styles from './orders.module.css'

type Preview = CallOutput<typeof previewRefund>
type Wanted = { units?: readonly number[]; orders?: readonly string[] }

const unitWords = (count: number) => (count === 1 ? '1 unit' : `${count} units`)

const FINAL = 'claimed in the game, drawn from a capsule or a gift from the team'

/**
 * Asks before a refund and says exactly what it will do, as the server sees it now. `ask` takes units or whole orders;
 * `dialog` is to be rendered.
 */
export function useRefund({ onDone }: { onDone?: () => void } = {}): {
  ask: (wanted: Wanted) => Promise<void>
  busy: boolean
  dialog: ReactNode
} {
  const [busy, setBusy] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [preview, setPreview] = useState<Preview | null>(null)

  const ask = async ({ units = [], orders = [] }: Wanted) => {
    setBusy(true)
    try {
      const found = await deskCall(previewRefund, { units: units.join(','), orders: orders.join(',') })
      if (found.units.length === 0)
        return void showToast(
          'note',
          `There is nothing to refund: it has already been refunded, a refund is on its way, or it is final (${FINAL}).`,
        )
      if (found.too_many)
        return void showToast('error', `That is more than ${UNITS_AT_ONCE} units. Please choose fewer.`)
      setPreview(found)
      setOpen(true)
    } catch (error) {
      void showToast('error', alertText(error))
    } finally {
      setBusy(false)
    }
  }

  const count = preview?.units.length ?? 0
  const dialog = preview !== null && (
    <ConfirmDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      title={`Refund ${unitWords(count)}?`}
      action={`Refund ${unitWords(count)}`}
      reason="required"
      reasonHint="Kept in the audit log"
      endpoint={refundOrders}
      input={(reason) => ({ units: preview.units, reason })}
      done={({ message }) => message}
      onDone={() => onDone?.()}
    >
      <ul className={styles.effects}>
        {preview.pay.units > 0 && (
          <li>
            <b>{unitWords(preview.pay.units)}</b> cannot be in the game. <Sum of={preview.pay} /> goes back to{' '}
            {playerWords(preview.players)} right away.
          </li>
        )}
        {preview.request.units > 0 && (
          <li>
            <b>{unitWords(preview.request.units)}</b> may be in the game. The bridge is asked to take{' '}
            {preview.request.units === 1 ? 'it' : 'them'} back first; <Sum of={preview.request} /> is paid back once it
            has.
          </li>
        )}
        {preview.refunded > 0 && (
          <li>
            {unitWords(preview.refunded)} {preview.refunded === 1 ? 'was' : 'were'} already refunded and will stay as{' '}
            {preview.refunded === 1 ? 'it is' : 'they are'}.
          </li>
        )}
        {preview.final > 0 && (
          <li>
            {unitWords(preview.final)} {preview.final === 1 ? 'is' : 'are'} final ({FINAL}) and will stay as{' '}
            {preview.final === 1 ? 'it is' : 'they are'}.
          </li>
        )}
        {preview.waiting.length > 0 && (
          <li>
            {unitWords(preview.waiting.length)} {preview.waiting.length === 1 ? 'is' : 'are'} already waiting for the
            bridge and will stay as {preview.waiting.length === 1 ? 'it is' : 'they are'}.
          </li>
        )}
        {preview.older > 0 && (
          <li>
            <Money amount={preview.older} /> of it was bought more than 7 days ago and counts against your limit. Above
            the limit, a colleague has to approve first.
          </li>
        )}
      </ul>
    </ConfirmDialog>
  )
  return { ask, busy, dialog }
}

const playerWords = (players: number) => (players === 1 ? 'the player' : `${players} players`)

function Sum({ of: { r_coin, milleage } }: { of: Preview['pay'] }) {
  return (
    <>
      {r_coin > 0 && <Money amount={r_coin} currency="rCoin" />}
      {r_coin > 0 && milleage > 0 && ' and '}
      {milleage > 0 && <Money amount={milleage} currency="milleage" />}
    </>
  )
}

export type Waiting = { units: readonly number[]; way: 'force' | 'withdraw' }

/** What can be done about refunds that wait for the bridge: no longer wait, or no longer refund. */
export function WaitingDialog({ waiting, onClose }: { waiting: Waiting | null; onClose: () => void }) {
  const [last, setLast] = useState(waiting)
  if (waiting !== null && waiting !== last) setLast(waiting)
  if (last === null) return null
  const units = [...last.units]
  const what = unitWords(units.length)
  const common = {
    open: waiting !== null,
    onClose,
    reason: 'required',
    input: (reason: string) => ({ units, reason }),
    done: ({ message }: { message: string }) => message,
  } as const
  if (last.way === 'withdraw')
    return (
      <ConfirmDialog {...common} title="Withdraw the refund request?" action="Withdraw it" endpoint={withdrawRefund}>
        <p>{what} will stay with the player, and nothing is paid back.</p>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      {...common}
      title={`Pay back ${what} without the bridge?`}
      action="Pay back now"
      tone="danger"
      endpoint={forceRefund}
    >
      <p>
        <b>The player may keep the item as well.</b> Nobody has checked whether{' '}
        {what === '1 unit' ? 'it is' : 'they are'} still in the game. Do this only if the bridge is not coming back.
      </p>
      <p>Another owner has to approve it, unless you are the only person at the desk.</p>
    </ConfirmDialog>
  )
}
