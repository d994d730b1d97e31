import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Passkey } from './queries.ts'

/** Loads the library at the first use, because most sites start without passkeys. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256, which authenticators support. By default the library would try all algorithms of Node. */
const ALGORITHMS = [-8, -7, -257]

/** The relying party of passkeys: its host (the RP ID), and the origin whose pages may use them. */
export type RelyingParty = { id: string; origin: string }

/**
 * Returns the relying party of a site: the host of PUBLIC_URL, if that is a domain name with https, or `localhost`
 * (FACTOR-7). Returns null for other addresses, where browsers do not support passkeys.
 */
export function getRelyingParty(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isDomain = protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  return isDomain || hostname === 'localhost' ? { id: hostname, origin } : null
}

const getTransports = ({ transports }: Passkey) => transports as AuthenticatorTransport[]

/** Whether a passkey should or must verify its user by PIN, finger or face. */
type UserVerification = 'preferred' | 'required'

/**
 * Creates the options with which a browser requests one of an account's passkeys. @param challenge random by default
 */
export async function createRequestOptions(
  party: RelyingParty,
  passkeys: Passkey[],
  { verification, challenge }: { verification: UserVerification; challenge?: string | undefined },
) {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: verification,
    allowCredentials: passkeys.map((passkey) => ({ id: passkey.credentialId, transports: getTransports(passkey) })),
    ...(challenge !== undefined && { challenge: new Uint8Array(Buffer.from(challenge, 'base64url')) }),
  })
}

type Assertion = { challenge: string; browserResponse: Record<string, unknown>; verification: UserVerification }

/** Returns the passkey that signed a challenge, with its new count; null if the signature or its data are invalid. */
export async function verifyAssertion(
  party: RelyingParty,
  passkeys: Passkey[],
  { challenge, browserResponse, verification }: Assertion,
): Promise<{ factor: number; signCount: number } | null> {
  const passkey = passkeys.find(({ credentialId }) => credentialId === browserResponse.id)
  if (passkey === undefined) return null
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: browserResponse as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: verification === 'required',
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.signCount,
        transports: getTransports(passkey),
      },
    })
    return verified ? { factor: passkey.factor, signCount: authenticationInfo.newCounter } : null
  } catch {
    // The library throws for every invalid value, in the signature or its data.
    return null
  }
}

/**
 * Creates the options with which a browser creates a passkey. They exclude devices that already have one of the account.
 */
export async function createCreationOptions(
  party: RelyingParty,
  owner: { appName: string; userNum: number; userId: string; passkeys: Passkey[] },
) {
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: owner.appName,
    userID: new TextEncoder().encode(`account ${owner.userNum}`),
    userName: owner.userId,
    userDisplayName: owner.userId,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: owner.passkeys.map((passkey) => ({
      id: passkey.credentialId,
      transports: getTransports(passkey),
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Returns the passkey that a browser created for a challenge; null if its data are invalid. */
export async function verifyCreation(
  party: RelyingParty,
  { challenge, browserResponse }: { challenge: string; browserResponse: Record<string, unknown> },
): Promise<Omit<Passkey, 'factor'> | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const { response } = browserResponse as unknown as RegistrationResponseJSON
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    // Other formats contain certificates, and the library would fetch addresses that are written in them.
    const isSupported = attestation.get('fmt') === 'none' || attestation.get('fmt') === 'packed'
    if (!isSupported || attestation.get('attStmt').get('x5c') !== undefined) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: browserResponse as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      signCount: counter,
      transports: transports.slice(0, 8).map((transport) => String(transport).slice(0, 20)),
    }
  } catch {
    return null
  }
}
