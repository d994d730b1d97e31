import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserPlaces } from './browser.ts'

test('finds Chrome and Edge in their installers’ folders on Windows', () => {
  const env = {
    ProgramFiles: 'C:\\Program Files',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    LOCALAPPDATA: 'D:\\Juan\\Local',
  }
  const places = browserPlaces('win32', env, 'D:\\Juan')
  for (const place of [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    'D:\\Juan\\Local\\Chromium\\Application\\chrome.exe',
  ])
    assert.ok(places.includes(place), place)
  assert.deepEqual(browserPlaces('win32', {}, 'D:\\Juan'), [])
})

test('searches the applications of the system and the user on macOS', () => {
  const places = browserPlaces('darwin', {}, '/Users/maria')
  for (const place of [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Users/maria/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ])
    assert.ok(places.includes(place), place)
})

test('searches the folders of PATH on Linux, for Chromium before Chrome and Edge', () => {
  assert.deepEqual(browserPlaces('linux', { PATH: '/opt/bin:/snap/bin' }, '/home/juan').slice(0, 2), [
    '/opt/bin/chromium',
    '/snap/bin/chromium',
  ])
})
