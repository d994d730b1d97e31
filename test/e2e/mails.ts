import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** The newest link of a kind that was mailed to an address; waits for the mail to be written. */
export async function mailedLink(address: string, path: string): Promise<string> {
  const folder = join(process.env.E2E_DATA_DIR ?? '', 'mail')
  let link = ''
  await expect(async () => {
    for (const file of (await readdir(folder)).sort()) {
      const mail = (await readFile(join(folder, file), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=')
      const found = new RegExp(`${path}\\?token=[\\w-]+`).exec(mail)
      if (mail.includes(`To: ${address}`) && found) link = found[0]
    }
    expect(link).not.toBe('')
  }).toPass({ timeout: 15_000 })
  return link
}
