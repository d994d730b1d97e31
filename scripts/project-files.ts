import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './root.ts'

/** Lists the project's files that git does not ignore, sorted, or returns undefined if there is no git repository. */
export async function listFiles(): Promise<string[] | undefined> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: 2 ** 26 })
    const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)))
    return files.sort()
  } catch {
    return undefined
  }
}
