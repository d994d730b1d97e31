import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { describeFinding, playThief, shorten } from './thief.ts'
import { createChoices } from './thief-inputs.ts'
import { createThiefWorld, GUISES } from './thief-world.ts'

/**
 * `THIEF_SEED` repeats a run, `THIEF_GUISE=staff.write+support` limits it to one guise, and `THIEF_SECONDS` sets the
 * duration of the search.
 */
const { THIEF_SEED, THIEF_GUISE, THIEF_SECONDS = '60' } = process.env
const STEPS = 120

test('a thief with any role gains nothing, however long it tries', async (t) => {
  const world = await createThiefWorld()
  after(() => world.close())
  const first = Number(THIEF_SEED ?? Date.now() % 1_000_000)
  const until = performance.now() + Number(THIEF_SECONDS) * 1000
  let steps = 0
  let runs = 0
  for (let seed = first; performance.now() < until || seed === first; seed++, runs++) {
    // A seed determines the whole run including the guise, so a single number repeats it.
    const guise = THIEF_GUISE?.split('+') ?? createChoices(seed).pick(GUISES)
    const played = await playThief(world, { guise, seed }, { steps: STEPS })
    steps += played.steps
    const [found] = played.found
    if (found !== undefined) assert.fail(describeFinding(found, await shorten(world, found)))
    if (THIEF_SEED !== undefined) break
  }
  t.diagnostic(`${runs} thieves from seed ${first}, ${steps} steps`)
})
