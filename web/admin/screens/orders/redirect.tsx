import { redirectDelivery, redirectFields } from '#contract/orders.ts'
import { DeskAction } from '../../kit/action.tsx'
import { Fields } from '../../kit/fields.tsx'

/** Sends units that wait or failed to another account, for a player who has lost the one in the game. */
export function Redirect({ units }: { units: readonly number[] }) {
  const what = units.length === 1 ? '1 unit' : `${units.length} units`
  return (
    <DeskAction
      endpoint={redirectDelivery}
      input={({ user_id, reason }) => ({ units: [...units], user_id, reason })}
      label="Send to another account…"
      tone="secondary"
      ask={{
        title: `Send ${what} to another account?`,
        action: `Send ${what}`,
        values: { user_id: '' },
        text: (form) => (
          <>
            <p>
              The other account gets {units.length === 1 ? 'it' : 'them'} in its item bank. What was paid counts against
              your limit; above it, a colleague has to approve first.
            </p>
            <Fields fields={redirectFields} show={['user_id']} form={form} />
          </>
        ),
        reason: 'required',
        reasonHint: 'Kept in the audit log',
      }}
    />
  )
}
