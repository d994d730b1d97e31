import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SCREENSHOT } from '#contract/ticket-messages.ts'
import { addPictures, sizeWords } from './picture-rules.ts'

const file = (name: string, size = 1000, type = 'image/png') => ({ name, size, type, lastModified: 1 })

describe('screenshots that are picked', () => {
  it('are taken in their order', () => {
    const { pictures, refusals } = addPictures(
      [file('a.png')],
      [file('b.webp', 1, 'image/webp'), file('c.jpg', 1, 'image/jpeg')],
    )
    assert.deepEqual(
      pictures.map(({ name }) => name),
      ['a.png', 'b.webp', 'c.jpg'],
    )
    assert.deepEqual(refusals, [])
  })

  it('are refused by name, and what was chosen before stays', () => {
    const added = [file('video.mp4', 1, 'video/mp4'), file('huge.png', 5 * 1024 * 1024 + 1), file('gone.png', 0)]
    assert.deepEqual(addPictures([file('a.png')], added), {
      pictures: [file('a.png')],
      refusals: [SCREENSHOT.notAPicture('video.mp4'), SCREENSHOT.tooLarge('huge.png'), SCREENSHOT.empty('gone.png')],
    })
  })

  it('are three at most, told once', () => {
    const { pictures, refusals } = addPictures([file('1'), file('2')], [file('3'), file('4'), file('5')])
    assert.equal(pictures.length, 3)
    assert.deepEqual(refusals, [SCREENSHOT.tooMany])
  })

  it('count once however often they are picked', () => {
    assert.equal(addPictures([file('a.png')], [file('a.png')]).pictures.length, 1)
  })

  it('of exactly five megabytes are good', () => {
    assert.deepEqual(addPictures([], [file('a.png', 5 * 1024 * 1024)]).refusals, [])
  })
})

describe('the size of a file', () => {
  it('is said shortly', () => {
    assert.deepEqual([1, 840_000, 1_500_000, 5 * 1024 * 1024].map(sizeWords), ['1 kB', '820 kB', '1.4 MB', '5.0 MB'])
  })
})
