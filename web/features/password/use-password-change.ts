import { useState } from 'react'
import { ACCOUNT, PASSWORD } from '#contract/account-messages.ts'
import { updatePassword, validateSecretAnswer } from '#contract/accounts.ts'
import { PASSWORD_CHANGED_LOGOUT_MS } from '#contract/limits.ts'
import { unknownError } from '#contract/messages.ts'
import { CallError, call, dialogText, isExpired } from '#web/api/call.ts'
import { pause } from '#web/api/guard.ts'
import type { SessionUser } from '#web/api/session.ts'
import { useForgetSession } from '#web/api/session-actions.ts'
import { type CallState, errorState } from '#web/features/account/call-dialog.tsx'
import type { ChangePasswordForm } from './password-rules.ts'

/** What the secret answer's dialog says of a refusal; a refusal without words means the answer was wrong (SPEC §8). */
function secretAnswerError(error: unknown): string {
  const silent = error instanceof CallError && error.message === unknownError(error.status)
  return silent ? PASSWORD.secretAnswerWrong : dialogText(error)
}

/** The change of a password: first the secret answer, then the change, then the logout (SPEC §4). */
export function usePasswordChange({ UserNum, UserID }: Pick<SessionUser, 'UserNum' | 'UserID'>) {
  const [asked, setAsked] = useState<ChangePasswordForm | null>(null)
  const [state, setState] = useState<CallState | null>(null)
  const forgetSession = useForgetSession()

  const change = async ({ current, newPassword }: ChangePasswordForm) => {
    setState({ phase: 'running', title: ACCOUNT.processing, text: ACCOUNT.pleaseWait })
    try {
      const json = { UserNum, UserID, UserPass: current, NewUserPass: newPassword }
      const { message } = await call(updatePassword, json, { shellShows: 'ended-session' })
      setState({ phase: 'done', title: 'Password changed', text: message })
      await pause(PASSWORD_CHANGED_LOGOUT_MS)
      await forgetSession()
    } catch (error) {
      setState(isExpired(error) ? null : errorState(dialogText(error)))
    }
  }

  const confirm = async (secretAnswer: string): Promise<string | null> => {
    try {
      const json = { UserNum, UserID, secretAnswer }
      const { message } = await call(validateSecretAnswer, json, { shellShows: 'ended-session' })
      if (!message) return PASSWORD.secretAnswerWrong
    } catch (error) {
      return secretAnswerError(error)
    }
    setAsked(null)
    if (asked !== null) void change(asked)
    return null
  }

  return {
    asking: asked !== null,
    ask: setAsked,
    cancel: () => setAsked(null),
    confirm,
    state,
    close: () => setState(null),
  }
}
