import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './root.ts'
import type { Tally } from './run-node-tests.ts'

/** Runs the page tests in a browser. @returns their numbers and their report as text */
export async function runPageTests(): Promise<Tally & { report: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-pages-'))
  const counts = join(folder, 'report.json')
  const output: Buffer[] = []
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=list,json'],
      {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: counts },
      },
    )
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    child.on('close', resolve)
  })
  const report = Buffer.concat(output).toString()
  try {
    const { stats } = JSON.parse(await readFile(counts, 'utf8')) as {
      stats: { expected: number; unexpected: number; flaky: number }
    }
    return {
      report,
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + (code !== 0 && stats.unexpected === 0 ? 1 : 0),
    }
  } catch {
    return { report, passed: 0, failed: 1 }
  } finally {
    await rm(folder, { recursive: true })
  }
}
