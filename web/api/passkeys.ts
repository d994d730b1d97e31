import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { alertText, CallError } from './call.ts'
import { confirmSession } from './confirmation.ts'

type Options = Record<string, unknown>

/** Fetched with the first passkey. */
const loadWebAuthn = () => import('@simplewebauthn/browser')

/** Whether this browser knows passkeys, at the address where it is. */
export const knowsPasskeys = (): boolean => typeof window !== 'undefined' && 'PublicKeyCredential' in window

/** Asks for one of the passkeys that the server's options name. @throws what `passkeyText` tells */
export async function promptPasskey(options: Options): Promise<Options> {
  const { startAuthentication } = await loadWebAuthn()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON })) }
}

/** Makes a passkey. @throws what `passkeyText` tells */
export async function makePasskey(options: Options): Promise<Options> {
  const { startRegistration } = await loadWebAuthn()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}

/** Confirms with a passkey that the person of this session is still the account's. @throws what `passkeyText` tells */
export async function confirmWithPasskey(options: Options): Promise<void> {
  await confirmSession({ assertion: await promptPasskey(options) })
}

const TEXTS: Record<string, string> = {
  NotAllowedError: 'No passkey was used. You can try again.',
  AbortError: 'No passkey was used. You can try again.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this site’s address.',
}

/** What went wrong with a passkey: on the way, in the browser, or at the server. */
export function passkeyText(error: unknown): string {
  if (error instanceof CallError) return alertText(error)
  const name = error instanceof Error ? error.name : ''
  return TEXTS[name] ?? 'This browser could not use a passkey.'
}
