import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * `npm ci` runs this at its end. npm starts each script with the first `sh` in its path, sends SIGTERM to that shell
 * and returns its exit code. Debian's shell does not forward the signal, so the site would outlive npm
 * (docs/decisions/035). This file installs a shell that replaces itself with the program. Windows has no SIGTERM and
 * needs none.
 */
const SHELL = `#!/bin/sh
# npm runs scripts with this. A single command takes the place of the shell, so that signals reach it.
case "$1 $2" in
  *[\\;\\&\\|\\<\\>\\(\\)\\$]*) ;;
  "-c node "*) shift; command="$1"; shift; exec /bin/sh -c "exec $command" "$@" ;;
esac
exec /bin/sh "$@"
`

if (process.platform !== 'win32') {
  const path = join(import.meta.dirname, '../node_modules/.bin/sh')
  await writeFile(path, SHELL)
  await chmod(path, 0o755)
}
