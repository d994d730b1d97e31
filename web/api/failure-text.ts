import { CALLS } from '#contract/messages.ts'
import { CallError } from './call.ts'

/** What an alert says of a failed call: the server's error, else its message, else the status (SPEC §8). */
export function alertText(error: unknown): string {
  if (!(error instanceof CallError)) return CALLS.unexpected
  return error.status === 429 ? CALLS.tooMany : error.message
}

/** What the 'ERROR!' dialog says of a failed call; without an answer, the words of its own (SPEC §8). */
export function dialogText(error: unknown): string {
  return error instanceof CallError && error.status !== 0 ? error.message : CALLS.unexpected
}

/** Whether a call failed because the session is over: then the shell says so and leaves the page. */
export function isExpired(error: unknown): boolean {
  return error instanceof CallError && error.status === 401
}
