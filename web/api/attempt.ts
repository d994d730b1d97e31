import { useState } from 'react'
import { showToast } from '#web/ui/toast.ts'
import { alertText, isExpired } from './call.ts'

/** Shows the text of a failed call as a message, unless the shell reports an ended session. */
export function alertFailure(error: unknown): void {
  if (!isExpired(error)) void showToast('error', alertText(error))
}

/** Runs a task with calls, and shows its failure as a message. */
export const attempt = (act: () => Promise<unknown>) => act().catch(alertFailure)

/** Returns whether a task is running, and `attempt`. `afterwards` follows the task, also after a failure. */
export function useAttempt() {
  const [busy, setBusy] = useState(false)
  const attemptBusily = async (act: () => Promise<unknown>, afterwards?: () => Promise<unknown>) => {
    setBusy(true)
    await attempt(act)
    await afterwards?.()
    setBusy(false)
  }
  return [busy, attemptBusily] as const
}
