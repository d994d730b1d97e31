import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeBeside, placeTip } from './tip-place.ts'

const box = { width: 280, height: 200 }
const screen = { width: 1440, height: 900 }
const phone = { width: 360, height: 700 }

describe('the tooltip that follows the pointer', () => {
  it('stands below and right of it', () => {
    assert.deepEqual(placeTip({ x: 100, y: 100 }, box, screen), { left: 118, top: 118 })
  })

  it('changes sides before it would leave the screen', () => {
    assert.deepEqual(placeTip({ x: 1300, y: 850 }, box, screen), { left: 1002, top: 632 })
  })

  it('stays on a phone’s screen, where neither side has room', () => {
    const { left, top } = placeTip({ x: 180, y: 90 }, box, { width: 360, height: 260 })
    assert.ok(left >= 8 && left + box.width <= 352, `left ${left}`)
    assert.ok(top >= 8, `top ${top}`)
  })
})

describe('the tooltip of a focused or tapped element', () => {
  it('stands right of it, or left where there is no room', () => {
    const card = { left: 400, right: 640, top: 300, bottom: 517 }
    assert.deepEqual(placeBeside(card, box, screen), { left: 650, top: 300 })
    const last = { left: 1140, right: 1380, top: 300, bottom: 517 }
    assert.deepEqual(placeBeside(last, box, screen), { left: 850, top: 300 })
  })

  it('stands below it on a phone, or above where there is no room', () => {
    const high = { left: 16, right: 174, top: 100, bottom: 350 }
    assert.deepEqual(placeBeside(high, box, phone), { left: 16, top: 360 })
    const low = { left: 186, right: 344, top: 420, bottom: 670 }
    assert.deepEqual(placeBeside(low, box, phone), { left: 72, top: 210 })
  })
})
