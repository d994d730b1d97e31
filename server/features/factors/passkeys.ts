import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server'
import type { Passkey } from './queries.ts'

/** Loaded with the first passkey, because most sites start without one. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** Whom passkeys are made for: the host is the RP ID, and only pages of the origin may use them. */
export type Party = { id: string; origin: string }

/**
 * The party of a site's passkeys: the host of PUBLIC_URL, if that is a domain name on https, or `localhost`
 * (DECISIONS §5). Elsewhere browsers know no passkeys, and it is null.
 */
export function partyOf(publicUrl: string): Party | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isDomain = protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  return isDomain || hostname === 'localhost' ? { id: hostname, origin } : null
}

const transportsOf = ({ transports }: Passkey) => transports as AuthenticatorTransport[]

/**
 * What a browser needs to ask for one of some passkeys.
 *
 * @param verification whether the passkey must check that it is its owner (PIN, finger, face)
 */
export async function createRequestOptions(party: Party, passkeys: Passkey[], verification: 'preferred' | 'required') {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: verification,
    allowCredentials: passkeys.map((passkey) => ({ id: passkey.credentialId, transports: transportsOf(passkey) })),
  })
}

type Assertion = { challenge: string; given: Record<string, unknown>; verification: 'preferred' | 'required' }

/** The passkey that signed a challenge, with its new count; null when none of them did, or not as it should. */
export async function verifyAssertion(
  party: Party,
  passkeys: Passkey[],
  { challenge, given, verification }: Assertion,
): Promise<{ factor: number; signCount: number } | null> {
  const passkey = passkeys.find(({ credentialId }) => credentialId === given.id)
  if (passkey === undefined) return null
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: verification === 'required',
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.signCount,
        transports: transportsOf(passkey),
      },
    })
    return verified ? { factor: passkey.factor, signCount: authenticationInfo.newCounter } : null
  } catch {
    // The library throws for whatever is not as it should be, in the signature or around it.
    return null
  }
}
