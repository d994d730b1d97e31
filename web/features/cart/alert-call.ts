import { alertText, CallError } from '#web/api/call.ts'
import { showToast } from '#web/ui/toast.ts'

/** What the shell itself tells of: no answer, a dead session, too many requests (SPEC §8). */
const TOLD_BY_SHELL = new Set([0, 401, 429])

/** Shows the alert of a failed call: the server's message, else the generic one (SPEC §8); once, not beside the shell's own. */
export function alertCall(error: unknown): void {
  if (error instanceof CallError && TOLD_BY_SHELL.has(error.status)) return
  void showToast('error', alertText(error))
}
