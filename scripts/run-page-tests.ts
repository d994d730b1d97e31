import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './ensure-browser.ts'
import type { Tally } from './run-node-tests.ts'

const ROOT = join(import.meta.dirname, '..')

/** Runs the page tests in the system's Chromium and counts them. */
export async function runPageTests(args: string[] = []): Promise<Tally> {
  await ensureBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-pages-'))
  const report = join(folder, 'report.json')
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=list,json', ...args],
      {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      },
    )
    child.on('close', resolve)
  })
  try {
    const { stats } = JSON.parse(await readFile(report, 'utf8')) as {
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
