import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { describeFinding, playThief, shortenSteps } from './thief.ts'
import { createChoices } from './thief-inputs.ts'
import { createThiefWorld, ROLE_COMBINATIONS } from './thief-world.ts'

// `THIEF_SEED` repeats a run, `THIEF_GUISE=staff.write+support` gives the thief only this combination of permissions and
// roles, and `THIEF_SECONDS` sets the duration of the search.
const { THIEF_SEED, THIEF_GUISE, THIEF_SECONDS = '60' } = process.env
const STEPS_PER_RUN = 120

test('a thief with any role gains nothing, however long it tries', async (t) => {
  const world = await createThiefWorld()
  after(() => world.close())
  const firstSeed = Number(THIEF_SEED ?? Date.now() % 1_000_000)
  const endsAt = performance.now() + Number(THIEF_SECONDS) * 1000
  let steps = 0
  let runs = 0
  for (let seed = firstSeed; performance.now() < endsAt || seed === firstSeed; seed++, runs++) {
    // A seed determines the whole run including the thief's roles, so a single number repeats it.
    const guise = THIEF_GUISE?.split('+') ?? createChoices(seed).pick(ROLE_COMBINATIONS)
    const result = await playThief(world, { guise, seed }, { steps: STEPS_PER_RUN })
    steps += result.steps
    const [finding] = result.findings
    if (finding !== undefined) assert.fail(describeFinding(finding, await shortenSteps(world, finding)))
    if (THIEF_SEED !== undefined) break
  }
  t.diagnostic(`${runs} thieves from seed ${firstSeed}, ${steps} steps`)
})
