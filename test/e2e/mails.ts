import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** Returns the newest mailed link of a kind to an address. Waits until the mail is written. */
export function readMailedLink(address: string, path: string, dataDir?: string): Promise<string> {
  return readMailedText(address, new RegExp(`${path}\\?token=[\\w-]+`), dataDir)
}

/** Returns the newest mailed text of a kind to an address. Waits until the mail is written. */
export async function readMailedText(
  address: string,
  pattern: RegExp,
  dataDir = process.env.E2E_DATA_DIR ?? '',
): Promise<string> {
  const folder = join(dataDir, 'mail')
  let text = ''
  await expect(async () => {
    for (const file of (await readdir(folder)).sort()) {
      const mail = (await readFile(join(folder, file), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=')
      const match = pattern.exec(mail)
      if (mail.includes(`To: ${address}`) && match) text = match[0]
    }
    expect(text).not.toBe('')
  }).toPass({ timeout: 15_000 })
  return text
}
