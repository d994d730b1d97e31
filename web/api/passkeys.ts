import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { CallError, getAlertText } from './call.ts'

type Options = Record<string, unknown>
type Credential = Record<string, unknown>

/** Downloads the library for passkeys at the first use of one. */
const loadWebAuthn = () => import('@simplewebauthn/browser')

/** Returns whether this browser supports passkeys at the current address. */
export const supportsPasskeys = (): boolean => typeof window !== 'undefined' && 'PublicKeyCredential' in window

/** Prompts for one of the passkeys in the server's options. @throws errors that `getPasskeyErrorText` describes */
export async function promptPasskey(options: Options): Promise<Credential> {
  const { startAuthentication } = await loadWebAuthn()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON })) }
}

/** Creates a passkey. @throws errors that `getPasskeyErrorText` describes */
export async function createPasskey(options: Options): Promise<Credential> {
  const { startRegistration } = await loadWebAuthn()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}

const ERROR_TEXTS: Record<string, string> = {
  NotAllowedError: 'No passkey was used. You can try again.',
  AbortError: 'No passkey was used. You can try again.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this site’s address.',
}

/** Returns the message for a failed passkey: a network, browser or server error. */
export function getPasskeyErrorText(error: unknown): string {
  if (error instanceof CallError) return getAlertText(error)
  const name = error instanceof Error ? error.name : ''
  return ERROR_TEXTS[name] ?? 'This browser could not use a passkey.'
}
