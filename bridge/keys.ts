import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'

/** The content of the key file: the bridge's identity and its private keys. Anyone who has it can act as this bridge. */
const keyFileSchema = z.strictObject({
  site: z.string(),
  bridge: z.int().positive(),
  sign: z.string(),
  seal: z.string(),
})

export type Keys = {
  site: string
  bridge: number
  /** The Ed25519 key that signs requests. */
  sign: KeyObject
  /** The X25519 key that decrypts the passwords that the site seals for this bridge. */
  seal: KeyObject
}

/** Returns a public key as its 32 bytes in base64url. */
export const getPublicPart = (key: KeyObject): string => {
  const { x } = key.export({ format: 'jwk' })
  if (x === undefined) throw new Error('This is not a key of an elliptic curve.')
  return x
}

/** Creates the private keys of a new bridge, with their public parts for the site. */
export function createKeys() {
  const signPair = generateKeyPairSync('ed25519')
  const sealPair = generateKeyPairSync('x25519')
  return {
    sign: signPair.privateKey,
    seal: sealPair.privateKey,
    publicSignKey: getPublicPart(signPair.publicKey),
    publicSealKey: getPublicPart(sealPair.publicKey),
  }
}

const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/**
 * Writes the keys to a file next to the key file. Only the file's owner can read it. Call this before the pairing, so an
 * unwritable folder does not use up the code.
 *
 * @returns a function that adds the bridge's number and moves the file to the key file's path
 */
export async function writeKeys(
  path: string,
  { site, sign, seal }: Omit<Keys, 'bridge'>,
): Promise<(bridge: number) => Promise<void>> {
  const newPath = `${path}.new`
  const write = (bridge: number | null) => {
    const text = JSON.stringify({ site, bridge, sign: toPem(sign), seal: toPem(seal) }, null, 2)
    return writeFile(newPath, `${text}\n`, { mode: 0o600 })
  }
  await write(null)
  await chmod(newPath, 0o600)
  return async (bridge) => {
    await write(bridge)
    await rename(newPath, path)
  }
}

/** Reads the key file. @throws Error with a sentence for the operator */
export async function readKeys(path: string): Promise<Keys> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(
      `There is no key file ${path}: this bridge is not paired yet. Press “Pair a bridge” on the desk’s Game page, and run the command it shows.`,
    )
  })
  try {
    const { site, bridge, sign, seal } = keyFileSchema.parse(JSON.parse(text))
    return { site, bridge, sign: createPrivateKey(sign), seal: createPrivateKey(seal) }
  } catch {
    throw new Error(`The key file ${path} is damaged. Delete it and pair this bridge again.`)
  }
}
