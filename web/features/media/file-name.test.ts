import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileName } from './file-name.ts'

test('a download is named after its title and resolution, in letters every disk takes', () => {
  const file = { url: '/art/wallpaper-1-1920x1080.jpg', type: 'image/jpeg', width: 1920, height: 1080 }
  assert.equal(fileName('Last trip home', file), 'tambayan-last-trip-home-1920x1080.jpg')
  assert.equal(fileName('Niño’s  “night” / 2', file), 'tambayan-ninos-night-2-1920x1080.jpg')
  assert.equal(fileName('夜', { ...file, url: 'https://example.com/a' }), 'tambayan-wallpaper-1920x1080.jpg')
})
