import { useState } from 'react'
import { redirectDelivery } from '#contract/orders.ts'
import field from '#web/ui/field.module.css'
import { FieldFrame } from '#web/ui/field.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'

/** Sends units that wait or failed to another account, for a player who has lost the one in the game. */
export function RedirectDialog({ units, onClose }: { units: readonly number[] | null; onClose: () => void }) {
  const [userId, setUserId] = useState('')
  const [last, setLast] = useState(units)
  if (units !== null && units !== last) setLast(units)
  if (last === null) return null
  const what = last.length === 1 ? '1 unit' : `${last.length} units`
  return (
    <ConfirmDialog
      open={units !== null}
      onClose={onClose}
      title={`Send ${what} to another account?`}
      action={`Send ${what}`}
      reason="required"
      reasonHint="Kept in the audit log"
      endpoint={redirectDelivery}
      input={(reason) => ({ units: [...last], user_id: userId, reason })}
      done={({ message }) => message}
      onDone={() => setUserId('')}
    >
      <p>
        The other account gets {last.length === 1 ? 'it' : 'them'} in its item bank. What was paid counts against your
        limit; above it, a colleague has to approve first.
      </p>
      <FieldFrame label="User ID of the other account">
        {(control) => (
          <input
            {...control}
            className={field.input}
            value={userId}
            maxLength={40}
            autoComplete="off"
            onChange={({ currentTarget }) => setUserId(currentTarget.value)}
          />
        )}
      </FieldFrame>
    </ConfirmDialog>
  )
}
