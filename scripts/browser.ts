import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, posix, win32 } from 'node:path'
import { chromium } from '@playwright/test'
import { installDebianPackages } from './debian-packages.ts'

const PLAYWRIGHT = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js')

/** The names of the programs of Chromium, Chrome and Edge. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chrome']

/**
 * Debian's headless Chromium, which needs a sixth less processor time for page tests. Measurements need the full
 * browser, because this one loads lazy pictures earlier and does not load the site's icon.
 */
const SHELL = 'chromium-headless-shell'

const APPS = ['Chromium', 'Google Chrome', 'Microsoft Edge']
const WINDOWS_PROGRAMS = [
  'Chromium/Application/chrome.exe',
  'Google/Chrome/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
]

/** Returns the possible paths of a system's Chromium, Chrome or Edge, most likely first. */
export function listBrowserPaths(
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  home: string,
): string[] {
  if (platform === 'win32') {
    const programFolders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(
      (root) => root !== undefined,
    )
    return programFolders.flatMap((root) => WINDOWS_PROGRAMS.map((program) => win32.join(root, program)))
  }
  if (platform === 'darwin') {
    const folders = ['/Applications', posix.join(home, 'Applications')]
    return folders.flatMap((folder) => APPS.map((app) => posix.join(folder, `${app}.app/Contents/MacOS/${app}`)))
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const findSystemBrowser = () => listBrowserPaths(process.platform, process.env, homedir()).find(isProgram)

/** Returns Playwright's download, if it exists. On Linux, where libraries may be missing, it must also start. */
function findDownload(): string | undefined {
  const path = chromium.executablePath()
  if (!isProgram(path)) return undefined
  if (process.platform !== 'linux') return path
  return spawnSync(path, ['--version']).status === 0 ? path : undefined
}

/** Returns the system's headless Chromium. */
const findShell = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, SHELL))
    .find(isProgram)

/**
 * Returns the path of a browser: the system's, otherwise Playwright's download,
 * otherwise, as root on Debian, Debian's package, which is installed if it is missing.
 *
 * @param kind `shell` for page tests, which prefer the headless browser
 * @throws when nothing can be installed
 */
export function ensureBrowser(kind: 'whole' | 'shell' = 'whole'): string {
  const findBrowser = () => (kind === 'shell' ? findShell() : undefined) ?? findSystemBrowser()
  const browserPath = findBrowser() ?? findDownload()
  if (browserPath !== undefined) return browserPath
  console.log('Installing a browser …')
  spawnSync(process.execPath, [PLAYWRIGHT, 'install', 'chromium'])
  const downloaded = findDownload()
  if (downloaded !== undefined) return downloaded
  try {
    installDebianPackages(kind === 'shell' ? SHELL : 'chromium', 'fonts-liberation')
  } catch {
    // Older versions of Debian do not have the package of the shell.
    installDebianPackages('chromium', 'fonts-liberation')
  }
  const installed = findBrowser()
  if (installed === undefined) throw new Error('Chromium was installed but could not be found.')
  return installed
}
