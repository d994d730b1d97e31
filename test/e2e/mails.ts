import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** The newest link of a kind that was mailed to an address; waits for the mail to be written. */
export function mailedLink(address: string, path: string, dataDir?: string): Promise<string> {
  return mailedText(address, new RegExp(`${path}\\?token=[\\w-]+`), dataDir)
}

/** The newest text of a kind that was mailed to an address; waits for the mail to be written. */
export async function mailedText(
  address: string,
  pattern: RegExp,
  dataDir = process.env.E2E_DATA_DIR ?? '',
): Promise<string> {
  const folder = join(dataDir, 'mail')
  let text = ''
  await expect(async () => {
    for (const file of (await readdir(folder)).sort()) {
      const mail = (await readFile(join(folder, file), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=')
      const found = pattern.exec(mail)
      if (mail.includes(`To: ${address}`) && found) text = found[0]
    }
    expect(text).not.toBe('')
  }).toPass({ timeout: 15_000 })
  return text
}
