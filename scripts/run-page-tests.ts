import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './root.ts'

/**
 * Runs page tests in a browser and prints their report.
 *
 * @param env `PAGE_DRILL: '1'` for drills
 * @returns the numbers of passed and failed tests
 */
export async function runPageTests(
  files: string[],
  env: Record<string, string> = {},
): Promise<{ passed: number; failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-pages-'))
  const reportFile = join(folder, 'report.json')
  const cli = join(ROOT, 'node_modules/@playwright/test/cli.js')
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, [cli, 'test', '--reporter=list,json', ...files], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile },
    })
    child.on('close', resolve)
  })
  try {
    const { stats } = JSON.parse(await readFile(reportFile, 'utf8')) as {
      stats: { expected: number; unexpected: number; flaky: number }
    }
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + (code !== 0 && stats.unexpected === 0 ? 1 : 0),
    }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    await rm(folder, { recursive: true })
  }
}
