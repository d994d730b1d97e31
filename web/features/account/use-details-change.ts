import { useState } from 'react'
import { PASSWORD } from '#contract/account-messages.ts'
import { updateUserDetails, validatePassword } from '#contract/accounts.ts'
import { alertText, call, isExpired } from '#web/api/call.ts'
import type { SessionUser } from '#web/api/session.ts'
import { useForgetSession } from '#web/api/session-actions.ts'
import { showToast } from '#web/ui/toast.ts'
import type { DetailsForm } from './details-rules.ts'

/**
 * The change of details (SPEC §2.5): the password is confirmed first, then the account is
 * updated, and its player logged out.
 */
export function useDetailsChange(user: SessionUser | undefined) {
  const [asked, setAsked] = useState<DetailsForm | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const forgetSession = useForgetSession()

  const update = async (owner: { UserNum: number; UserID: string }, UserPass: string, details: DetailsForm) => {
    try {
      const { message } = await call(
        updateUserDetails,
        { ...owner, ...details, UserPass },
        { shellShows: 'ended-session' },
      )
      void showToast('done', message)
      await forgetSession()
    } catch (error) {
      if (!isExpired(error)) setRefusal(alertText(error))
    }
  }

  /** Asks the server. @returns what is wrong with the password, or null when it is right */
  const confirm = async (UserPass: string): Promise<string | null> => {
    if (UserPass.trim() === '') return PASSWORD.incorrect
    if (user === undefined || asked === null) return PASSWORD.checkFailed
    const owner = { UserNum: user.UserNum, UserID: user.UserID }
    try {
      const { message } = await call(validatePassword, { ...owner, UserPass }, { shellShows: 'ended-session' })
      if (!message) return PASSWORD.incorrect
    } catch {
      return PASSWORD.checkFailed
    }
    await update(owner, UserPass, asked)
    setAsked(null)
    return null
  }

  const ask = (details: DetailsForm) => {
    setRefusal(null)
    setAsked(details)
  }
  return { asking: asked !== null, ask, cancel: () => setAsked(null), confirm, refusal }
}
