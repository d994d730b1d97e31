import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import { confirmIdentity } from '#contract/factors.ts'
import { call } from './call.ts'
import { getAccessToken, renewToken } from './session.ts'

/**
 * Confirms that the visitor owns the account of this session, and stores the session's new token.
 *
 * @throws CallError
 */
export async function confirmSession(
  input: CallInput<typeof confirmIdentity>,
): Promise<CallOutput<typeof confirmIdentity>> {
  const sentToken = getAccessToken()
  const answer = await call(confirmIdentity, input, { shellFailures: 'ended-session' })
  renewToken(sentToken, answer.token)
  return answer
}
