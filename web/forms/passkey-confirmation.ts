import { useEffect, useState } from 'react'
import { startConfirmation } from '#contract/factors.ts'
import { call } from '#web/api/call.ts'
import { confirmWithPasskey, knowsPasskeys, passkeyText } from '#web/api/passkeys.ts'

type PasskeyConfirmation = {
  /** Whether the dialog that asks for confirmation is open. */
  open: boolean
  onConfirmed: () => unknown
  /** Receives the error as a text. */
  onFailure: (text: string) => void
}

/**
 * Offers a passkey as confirmation in a dialog.
 *
 * @returns a function that requests the passkey; null if the account or the browser has none
 */
export function usePasskeyConfirmation({ open, onConfirmed, onFailure }: PasskeyConfirmation) {
  const [options, setOptions] = useState<Record<string, unknown> | null>(null)

  /** Fetches a new challenge. A challenge works once, so each attempt needs one. */
  const requestOptions = async () => {
    const confirmation = knowsPasskeys()
      ? await call(startConfirmation, {}, { shellShows: 'none' }).catch(() => null)
      : null
    setOptions(confirmation?.options ?? null)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once each time the dialog opens.
  useEffect(() => {
    if (open) void requestOptions()
  }, [open])

  if (options === null) return null
  return async () => {
    try {
      await confirmWithPasskey(options)
      await onConfirmed()
    } catch (error) {
      onFailure(passkeyText(error))
      await requestOptions()
    }
  }
}
