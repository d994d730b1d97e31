import { createDecipheriv, createPublicKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto'
import { formatSealContext, SEAL_FORMAT, type SealContext } from '#contract/bridge-sealing.ts'
import { getPublicPart } from './keys.ts'

/** The sealed text is not for this key, account, purpose or version, or was changed in transit. */
export class UnreadableSealedText extends Error {
  override name = 'UnreadableSealedText'
}

/** Decrypts a text that the site has sealed for this bridge. @throws UnreadableSealedText */
export function decryptSealed(sealedText: string, key: KeyObject, context: Omit<SealContext, 'key'>): string {
  try {
    const bytes = Buffer.from(sealedText, 'base64url')
    const senderKey = bytes.subarray(0, SEAL_FORMAT.keyBytes)
    const nonce = bytes.subarray(SEAL_FORMAT.keyBytes, SEAL_FORMAT.keyBytes + SEAL_FORMAT.nonceBytes)
    const text = bytes.subarray(SEAL_FORMAT.keyBytes + SEAL_FORMAT.nonceBytes, -SEAL_FORMAT.tagBytes)
    const ownPublicKey = getPublicPart(key)
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'X25519', x: senderKey.toString('base64url') },
      format: 'jwk',
    })
    const secret = diffieHellman({ privateKey: key, publicKey })
    const salt = Buffer.concat([senderKey, Buffer.from(ownPublicKey, 'base64url')])
    const cipherKey = Buffer.from(hkdfSync('sha256', secret, salt, SEAL_FORMAT.info, 32))
    const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: SEAL_FORMAT.tagBytes })
    decipher.setAAD(Buffer.from(formatSealContext({ ...context, key: ownPublicKey })))
    decipher.setAuthTag(bytes.subarray(-SEAL_FORMAT.tagBytes))
    return decipher.update(text, undefined, 'utf8') + decipher.final('utf8')
  } catch {
    throw new UnreadableSealedText('The sealed password cannot be opened.')
  }
}
