import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from './config.ts'

/** The key that seals secrets which the site needs in plain text later. It is an object, so logs and errors do not show it. */
export type SiteKey = KeyObject

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The version of the algorithm. The database's function `is_sealed` checks it too. */
const SEAL_VERSION = 's1'

/**
 * Seals a secret with AES-256-GCM, as text for the database.
 *
 * @param context the owner of the secret, such as `totp of account 17`. The secret opens only with the same context
 */
export function sealSecret(key: SiteKey, secret: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`${SEAL_VERSION} ${context}`))
  const sealedText = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `${SEAL_VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealedText]).toString('base64url')}`
}

/** Opens a text from `sealSecret`. @throws for another key or context, or a changed text */
export function openSecret(key: SiteKey, sealedText: string, context: string): string {
  const [version, text = ''] = sealedText.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (version !== SEAL_VERSION || bytes.length < NONCE_BYTES + TAG_BYTES)
    throw new Error('This is not a sealed secret.')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(`${SEAL_VERSION} ${context}`))
    .setAuthTag(tag)
  return `${decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8')}${decipher.final('utf8')}`
}

/** Reads the key in a file; null without a file. @throws StartError when the file cannot be read or contains no key */
export async function readSiteKey(path: string): Promise<SiteKey | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StartError(`The site's key in ${path} cannot be read (${error.code}).`)
  })
  if (text === null) return null
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.length !== KEY_BYTES)
    throw new StartError(`The file ${path} is not a key of a site: it must hold ${KEY_BYTES} bytes in base64.`)
  return createSecretKey(bytes)
}

/**
 * Creates a key and its file, which is renamed when it is complete. The caller has checked that there is no key.
 */
export async function createSiteKey(path: string): Promise<SiteKey> {
  const bytes = randomBytes(KEY_BYTES)
  const temporaryPath = `${path}.${process.pid}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(temporaryPath, 'w', 0o600)
    try {
      await file.writeFile(`${bytes.toString('base64')}\n`)
      // Flush the file to the disk, because sealed secrets are useless without the key.
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporaryPath, path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartError(`The site's key cannot be written to ${path} (${code ?? message}).`)
  }
  return createSecretKey(bytes)
}
