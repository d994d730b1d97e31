import { access, chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * `npm ci` runs this at its end, with any Node.js from 20 on, so it is not TypeScript. It links the pinned Node and installs
 * the shell that npm starts scripts with (docs/decisions/035).
 */

const MODULES = join(import.meta.dirname, '../node_modules')
const BIN = join(MODULES, '.bin')
const isWindows = process.platform === 'win32'

const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Links the Node of the platform's package. npm 11 has already done it; earlier versions do not do it for an optional dependency. */
async function linkNode() {
  const link = join(BIN, isWindows ? 'node.cmd' : 'node')
  if (await exists(link)) return
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    const program = join('..', name, 'bin', isWindows ? 'node.exe' : 'node')
    if (!(await exists(join(BIN, program)))) continue
    await (isWindows ? writeFile(link, `@"%~dp0\\${program}" %*\r\n`) : symlink(program, link))
    return
  }
  throw new Error(
    `The Node.js for ${platform} was not installed. Check the connection to npm's registry, and run npm ci again.`,
  )
}

/**
 * npm starts each script with the first `sh` in its path, sends SIGTERM to that shell and returns its exit code. Debian's
 * shell does not forward the signal, so the site would outlive npm. This shell replaces itself with the program. Windows
 * has no SIGTERM and needs none.
 */
const SHELL = `#!/bin/sh
# npm runs scripts with this. A single command takes the place of the shell, so that signals reach it.
case "$1 $2" in
  *[\\;\\&\\|\\<\\>\\(\\)\\$]*) ;;
  "-c node "*) shift; command="$1"; shift; exec /bin/sh -c "exec $command" "$@" ;;
esac
exec /bin/sh "$@"
`

await mkdir(BIN, { recursive: true })
await linkNode()
if (!isWindows) {
  await writeFile(join(BIN, 'sh'), SHELL)
  await chmod(join(BIN, 'sh'), 0o755)
}
