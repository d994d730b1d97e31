import { useState } from 'react'
import { showToast } from '#web/ui/toast.ts'
import { getAlertText, isSessionExpired } from './call.ts'

/** Shows the text of a failed call as a toast, except for an ended session, which the shell reports. */
export function alertFailure(error: unknown): void {
  if (!isSessionExpired(error)) void showToast('error', getAlertText(error))
}

/** Runs a task with calls, and shows its failure as a toast. */
export const attempt = (task: () => Promise<unknown>) => task().catch(alertFailure)

/**
 * Returns whether a task is running, and a function that runs a task as `attempt` does. `afterwards` runs after the
 * task, even if the task fails.
 */
export function useAttempt() {
  const [isBusy, setIsBusy] = useState(false)
  const attemptWithBusyFlag = async (task: () => Promise<unknown>, afterwards?: () => Promise<unknown>) => {
    setIsBusy(true)
    await attempt(task)
    await afterwards?.()
    setIsBusy(false)
  }
  return [isBusy, attemptWithBusyFlag] as const
}
