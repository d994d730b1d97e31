import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, posix, win32 } from 'node:path'
import { chromium } from '@playwright/test'
import { installDebianPackages } from './debian-packages.ts'

const PLAYWRIGHT = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js')

/** The names of Chromium, Chrome and Edge in the PATH. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chrome']

/**
 * Debian's Chromium without windows, with which page tests take a sixth less processor time. It fetches pictures further
 * down a page earlier and no icons, so figures need the whole browser.
 */
const SHELL = 'chromium-headless-shell'

const APPS = ['Chromium', 'Google Chrome', 'Microsoft Edge']
const WINDOWS_PROGRAMS = [
  'Chromium/Application/chrome.exe',
  'Google/Chrome/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
]

/** Where a system's own Chromium, Chrome or Edge may be, the likeliest first. */
export function browserPlaces(
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  home: string,
): string[] {
  if (platform === 'win32') {
    const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((root) => root !== undefined)
    return roots.flatMap((root) => WINDOWS_PROGRAMS.map((program) => win32.join(root, program)))
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

const findSystemBrowser = () => browserPlaces(process.platform, process.env, homedir()).find(isProgram)

/** Playwright's own download, if there is one. On Linux, where it may lack libraries, it must run. */
function findDownload(): string | undefined {
  const path = chromium.executablePath()
  if (!isProgram(path)) return undefined
  if (process.platform !== 'linux') return path
  return spawnSync(path, ['--version']).status === 0 ? path : undefined
}

/** The system's Chromium without windows. */
const findShell = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, SHELL))
    .find(isProgram)

/**
 * Returns the path of a browser for figures and pictures: the system's own, else Playwright's download, else, as root
 * on Debian, Debian's package. Installs it if it is missing.
 *
 * @param kind `shell` for page tests, which prefer the one without windows
 * @throws when nothing could be installed
 */
export function ensureBrowser(kind: 'whole' | 'shell' = 'whole'): string {
  const find = () => (kind === 'shell' ? findShell() : undefined) ?? findSystemBrowser()
  const found = find() ?? findDownload()
  if (found !== undefined) return found
  console.log('Installing a browser for the page tests …')
  spawnSync(process.execPath, [PLAYWRIGHT, 'install', 'chromium'])
  const downloaded = findDownload()
  if (downloaded !== undefined) return downloaded
  try {
    installDebianPackages(kind === 'shell' ? SHELL : 'chromium', 'fonts-liberation')
  } catch {
    // Older Debian has no package of the shell.
    installDebianPackages('chromium', 'fonts-liberation')
  }
  const installed = find()
  if (installed === undefined) throw new Error('Chromium was installed but could not be found.')
  return installed
}
