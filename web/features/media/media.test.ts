import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Media } from '#contract/media.ts'
import { findShownPicture, getPicturePath, readPictureId } from './gallery-view.ts'
import { createFileName, filterByShape, formatSize, listSources } from './media-files.ts'

const pictures = [11, 12, 13].map((id) => ({ id }) as Media)
const readId = (query: string) => readPictureId(new URLSearchParams(query))

test('reads the id of a picture from an address', () => {
  assert.equal(getPicturePath(12), '/gallery?picture=12')
  assert.equal(getPicturePath(), '/gallery')
  assert.equal(readId('picture=12'), 12)
  assert.equal(readId(''), null)
  assert.equal(readId('picture='), null)
  for (const text of ['abc', '-1', '1.5', '1e3', '9999999999']) assert.ok(Number.isNaN(readId(`picture=${text}`)), text)
})

test('returns a picture’s position and its neighbors, wrapping at the ends', () => {
  assert.deepEqual(findShownPicture(pictures, 12), {
    picture: { id: 12 },
    number: 2,
    count: 3,
    previous: { id: 11 },
    next: { id: 13 },
  })
  assert.equal(findShownPicture(pictures, 11)?.previous.id, 13)
  assert.equal(findShownPicture(pictures, 13)?.next.id, 11)
})

test('finds no picture for an unknown id', () => {
  for (const id of [99, null, Number.NaN]) assert.equal(findShownPicture(pictures, id), undefined)
  assert.equal(findShownPicture([], 1), undefined)
})

const createFile = (url: string, width: number, height: number) => ({
  url,
  type: url.endsWith('avif') ? 'image/avif' : 'image/webp',
  width,
  height,
})
const files = [
  createFile('/a-480.avif', 480, 320),
  createFile('/a-960.avif', 960, 640),
  createFile('/a-960.webp', 960, 640),
]

test('lists each format of a picture once with its widths, and the last file as the fallback', () => {
  assert.deepEqual(listSources(files), {
    sources: [
      { type: 'image/avif', srcSet: '/a-480.avif 480w, /a-960.avif 960w' },
      { type: 'image/webp', srcSet: '/a-960.webp 960w' },
    ],
    fallback: files[2],
  })
  assert.equal(listSources([]), undefined)
})

test('distinguishes upright from landscape files; a square one counts as landscape', () => {
  const shapeFiles = [
    createFile('/wide.avif', 1920, 1080),
    createFile('/tall.avif', 1080, 2400),
    createFile('/square.avif', 5, 5),
  ]
  assert.deepEqual(
    filterByShape(shapeFiles, 'tall').map(({ url }) => url),
    ['/tall.avif'],
  )
  assert.equal(filterByShape(shapeFiles, 'wide').length, 2)
})

test('formats sizes in kilobytes, or in megabytes from a million bytes on', () => {
  assert.deepEqual([451_363, 999_499, 1_249_000, 0, null].map(formatSize), ['451 kB', '999 kB', '1.2 MB', '0 kB', ''])
})

test('names a download after its title and resolution, in characters that every disk accepts', () => {
  const storedFile = { url: '/art/wallpaper-1-1920x1080.jpg', type: 'image/jpeg', width: 1920, height: 1080 }
  assert.equal(createFileName('Last trip home', storedFile), 'tambayan-last-trip-home-1920x1080.jpg')
  assert.equal(createFileName('Niño’s  “night” / 2', storedFile), 'tambayan-ninos-night-2-1920x1080.jpg')
  assert.equal(
    createFileName('夜', { ...storedFile, url: 'https://example.com/a' }),
    'tambayan-wallpaper-1920x1080.jpg',
  )
})
