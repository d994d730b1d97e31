import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import { confirmIdentity } from '#contract/factors.ts'
import { call } from './call.ts'
import { accessToken, renewToken } from './session.ts'

/**
 * Confirms that the visitor owns the account of this session, and stores the session's new token.
 *
 * @throws CallError
 */
export async function confirmSession(
  given: CallInput<typeof confirmIdentity>,
): Promise<CallOutput<typeof confirmIdentity>> {
  const used = accessToken()
  const answer = await call(confirmIdentity, given, { shellShows: 'ended-session' })
  renewToken(used, answer.token)
  return answer
}
