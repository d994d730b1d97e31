import { useEffect, useState } from 'react'
import { startConfirmation } from '#contract/factors.ts'
import { call } from '#web/api/call.ts'
import { confirmSession } from '#web/api/confirmation.ts'
import { getPasskeyErrorText, promptPasskey, supportsPasskeys } from '#web/api/passkeys.ts'

/**
 * Loads a passkey prompt for a dialog whose call accepts a passkey as confirmation of identity.
 *
 * @param open whether the dialog is open
 * @returns a function that prompts for the passkey and passes the browser's answer to an action; it throws errors that
 * `getPasskeyErrorText` describes. Null if the account or the browser has no passkey.
 */
export function usePasskey(open: boolean) {
  const [options, setOptions] = useState<Record<string, unknown> | null>(null)

  /** Fetches a new challenge. Each attempt needs a new one, because a challenge works only once. */
  const requestOptions = async () => {
    const confirmation = supportsPasskeys()
      ? await call(startConfirmation, {}, { shellFailures: 'none' }).catch(() => null)
      : null
    setOptions(confirmation?.options ?? null)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once each time the dialog opens
  useEffect(() => {
    if (open) void requestOptions()
  }, [open])

  if (options === null) return null
  return async (action: (assertion: Record<string, unknown>) => unknown): Promise<void> => {
    try {
      await action(await promptPasskey(options))
    } catch (error) {
      await requestOptions()
      throw error
    }
  }
}

type PasskeyConfirmationOptions = {
  /** Whether the confirmation dialog is open. */
  open: boolean
  onConfirmed: () => unknown
  /** Receives the error message. */
  onFailure: (text: string) => void
}

/**
 * Offers a passkey as confirmation in a dialog.
 *
 * @returns a function that prompts for the passkey; null if the account or the browser has no passkey
 */
export function usePasskeyConfirmation({ open, onConfirmed, onFailure }: PasskeyConfirmationOptions) {
  const runWithPasskey = usePasskey(open)
  if (runWithPasskey === null) return null
  return () =>
    runWithPasskey(async (assertion) => {
      await confirmSession({ assertion })
      await onConfirmed()
    }).catch((error: unknown) => onFailure(getPasskeyErrorText(error)))
}
