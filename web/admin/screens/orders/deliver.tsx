import { formatPlural } from '#contract/numbers.ts'
import { redirectDelivery, redirectFields, retryDelivery } from '#contract/orders.ts'
import { DeskAction } from '../../kit/action.tsx'
import type { OrderRow } from './stages.tsx'

/** A button that delivers failed or lost units again, after a prompt if some are lost: players may already have them. */
export function DeliverAgainButton({ orders, onDone }: { orders: readonly OrderRow[]; onDone?: () => void }) {
  const units = orders.flatMap(({ again }) => again)
  const lostCount = orders.reduce((sum, order) => sum + order.lost, 0)
  if (units.length === 0) return null
  const label = units.length === 1 ? 'Deliver again' : `Deliver ${units.length} again`
  return (
    <DeskAction
      endpoint={retryDelivery}
      input={{ units }}
      label={lostCount > 0 ? `${label}…` : label}
      {...(lostCount > 0 && {
        confirmation: {
          title: units.length === 1 ? 'Deliver it again?' : `Deliver ${units.length} units again?`,
          action: label,
          text: `A restore of the game’s database has lost ${lostCount === 1 ? 'one unit' : `${lostCount} units`}. Deliver only items again that the players no longer have: a player who claimed an item before the restore, and whose character still has it, would get it twice. Check the character before you repeat a service.`,
        },
      })}
      {...(onDone && { onDone })}
    />
  )
}

/** Sends waiting or failed units to another account, for a player who has lost the account in the game. */
export function RedirectButton({ units }: { units: readonly number[] }) {
  const unitsText = formatPlural(units.length, 'unit')
  return (
    <DeskAction
      endpoint={redirectDelivery}
      input={({ user_id, reason }) => ({ units: [...units], user_id, reason })}
      label="Send to another account…"
      tone="secondary"
      confirmation={{
        title: `Send ${unitsText} to another account?`,
        action: `Send ${unitsText}`,
        values: { user_id: '' },
        text: `The other account gets ${units.length === 1 ? 'it' : 'them'} in its item bank. The paid amount counts against your limit; above it, a colleague, if you have one, has to approve first.`,
        fields: redirectFields,
        reason: 'required',
        reasonHint: 'Stored in the audit log',
      }}
    />
  )
}
