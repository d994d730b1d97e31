import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError, createIdempotencyKey } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'
import { saveBalances, useSession } from '#web/api/session.ts'
import { refreshSession } from '#web/api/session-actions.ts'
import { showToast } from '#web/ui/toast.ts'
import { alertCall } from './alert-call.ts'
import type { Purchase, PurchasePhase } from './purchase-types.ts'

/** A call that may or may not have been carried out: the same key asked again moves nothing twice. */
const isUnanswered = (error: unknown) => error instanceof CallError && (error.status === 0 || error.status >= 500)

/**
 * Asks before buying, buys, and books what the server answers: message, both balances in every tab, a fresh cart
 * (SPEC §4). A confirmed purchase keeps its Idempotency-Key until it is answered or given up.
 */
export function usePurchase() {
  const client = useQueryClient()
  const user = useSession()?.user
  const [purchase, setPurchase] = useState<Purchase | null>(null)
  const [phase, setPhase] = useState<PurchasePhase>('asked')
  const key = useRef('')

  const ask = async (wanted: Purchase) => {
    // The purse in the dialog is the server's, as the prices are.
    await refreshSession().catch(() => undefined)
    key.current = createIdempotencyKey()
    setPhase('asked')
    setPurchase(wanted)
  }

  const confirm = async () => {
    if (purchase === null || phase === 'running') return
    setPhase('running')
    try {
      const answer = await purchase.send(key.current)
      saveBalances(answer)
      void showToast('done', answer.message)
    } catch (error) {
      alertCall(error)
      if (isUnanswered(error)) return setPhase('unanswered')
    }
    setPurchase(null)
    await client.invalidateQueries({ queryKey: [MINE, user?.UserNum ?? 0] })
  }

  const close = () => {
    setPurchase(null)
    if (phase !== 'unanswered') return
    // Given up without an answer: it may have been carried out, so look.
    void refreshSession().catch(() => undefined)
    void client.invalidateQueries({ queryKey: [MINE, user?.UserNum ?? 0] })
  }

  return { ask, dialog: { purchase, phase, user, onConfirm: () => void confirm(), onClose: close } }
}
