import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesOfShape, sizeWords, sourcesOf } from './picture-sources.ts'

const file = (url: string, width: number, height: number) => ({
  url,
  type: url.endsWith('avif') ? 'image/avif' : 'image/webp',
  width,
  height,
})
const files = [file('/a-480.avif', 480, 320), file('/a-960.avif', 960, 640), file('/a-960.webp', 960, 640)]

test('a picture names each format once with its widths; the last format is for browsers that know no other', () => {
  assert.deepEqual(sourcesOf(files), {
    sources: [
      { type: 'image/avif', srcSet: '/a-480.avif 480w, /a-960.avif 960w' },
      { type: 'image/webp', srcSet: '/a-960.webp 960w' },
    ],
    fallback: files[2],
  })
  assert.equal(sourcesOf([]), undefined)
})

test('upright files are told from lying ones; a square one lies', () => {
  const both = [file('/wide.avif', 1920, 1080), file('/tall.avif', 1080, 2400), file('/square.avif', 5, 5)]
  assert.deepEqual(
    filesOfShape(both, 'tall').map(({ url }) => url),
    ['/tall.avif'],
  )
  assert.equal(filesOfShape(both, 'wide').length, 2)
})

test('sizes are said in kilobytes, from a million bytes on in megabytes', () => {
  assert.deepEqual([451_363, 999_499, 1_249_000, 0, null].map(sizeWords), ['451 kB', '999 kB', '1.2 MB', '0 kB', ''])
})
