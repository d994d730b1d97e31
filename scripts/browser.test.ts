import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listBrowserPaths } from './browser.ts'

test('finds Chrome and Edge in their installers’ folders on Windows', () => {
  const env = {
    ProgramFiles: 'C:\\Program Files',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    LOCALAPPDATA: 'D:\\Juan\\Local',
  }
  const browserPaths = listBrowserPaths('win32', env, 'D:\\Juan')
  for (const browserPath of [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    'D:\\Juan\\Local\\Chromium\\Application\\chrome.exe',
  ])
    assert.ok(browserPaths.includes(browserPath), browserPath)
  assert.deepEqual(listBrowserPaths('win32', {}, 'D:\\Juan'), [])
})

test('searches the applications of the system and the user on macOS', () => {
  const browserPaths = listBrowserPaths('darwin', {}, '/Users/maria')
  for (const browserPath of [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Users/maria/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ])
    assert.ok(browserPaths.includes(browserPath), browserPath)
})

test('searches the folders of PATH on Linux, for Chromium before Chrome and Edge', () => {
  assert.deepEqual(listBrowserPaths('linux', { PATH: '/opt/bin:/snap/bin' }, '/home/juan').slice(0, 2), [
    '/opt/bin/chromium',
    '/snap/bin/chromium',
  ])
})
