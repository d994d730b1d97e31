import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { describeFinding, findDeafCalls, playThief, shorten } from './thief.ts'
import { createThiefWorld, type Guise, SINGLE_GUISES } from './thief-world.ts'

/**
 * The short run: always the same seeds, so that it fails only when something has changed. `thief-drill.test.ts` is the
 * long one.
 */
const world = await createThiefWorld()
after(() => world.close())

test('every call of the desk is handed an input that it takes', async () => {
  assert.deepEqual(await findDeafCalls(world, { seed: 1, tries: 15 }), [])
})

const GUISES: Guise[] = [
  ...SINGLE_GUISES.filter(([unit]) => unit?.includes('.') === false),
  ['staff.write'],
  ['game.write'],
  ['items.write'],
]

for (const guise of GUISES) {
  test(`a thief with ${guise.join(' and ')} gets nowhere`, async () => {
    const { found } = await playThief(world, { guise, seed: 1 }, { steps: 30 })
    for (const one of found) assert.fail(describeFinding(one, await shorten(world, one)))
  })
}
