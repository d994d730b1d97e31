import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Encodes the few kinds of values in a passkey as CBOR. */
function encodeCbor(value: unknown): Buffer {
  const head = (majorType: number, n: number) =>
    n < 24
      ? Buffer.from([(majorType << 5) | n])
      : n < 256
        ? Buffer.from([(majorType << 5) | 24, n])
        : Buffer.from([(majorType << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(encodeCbor)])
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** Deviations from a correct authenticator. */
type AuthenticatorFault = { origin?: string; rpId?: string; verified?: boolean; count?: number; key?: 'foreign' }

/**
 * Creates a passkey of the algorithm ES256 that responds like a browser.
 *
 * @param origin the page's origin; its host is the RP ID
 */
export function createAuthenticator(origin: string) {
  const id = randomBytes(32)
  const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const foreignKeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = keyPair.publicKey.export({ format: 'jwk' })
  let count = 0

  const encodeClientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const encodeAuthData = (rpId: string, flags: number, signCount: number, attestedData = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(signCount)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attestedData])
  }
  const credentialFields = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
  }

  return {
    id: credentialFields.id,
    /** Returns a RegistrationResponseJSON for the challenge of creation options. */
    register(challenge: string) {
      const cose = encodeCbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const attestedData = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', encodeAuthData(new URL(origin).hostname, 0x45, ++count, attestedData)],
      ])
      return {
        ...credentialFields,
        response: {
          clientDataJSON: encodeClientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: encodeCbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      }
    },
    /** Returns an AuthenticationResponseJSON for the challenge of request options. */
    assert(challenge: string, fault: AuthenticatorFault = {}) {
      const { rpId = new URL(origin).hostname, verified = true } = fault
      const data = encodeAuthData(rpId, verified ? 0x05 : 0x01, fault.count ?? ++count)
      const client = encodeClientData('webauthn.get', challenge, fault.origin ?? origin)
      const { privateKey } = fault.key === 'foreign' ? foreignKeyPair : keyPair
      return {
        ...credentialFields,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        },
        clientExtensionResults: {},
      }
    },
  }
}
