import * as calls from '#contract/capsules.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { drawPrize } from './draw.ts'
import { countDrawsToday, readDrawLimit, setDrawLimit } from './limits.ts'
import { selectCapsules, selectDrawStats, selectDraws, selectNextChances } from './queries.ts'

/** The calls of the capsule shop. */
export const capsuleCalls: MountedCall[] = [
  mount(calls.getCapsules, async (_, { deps: { db } }) => ({ data: await selectCapsules(db, { visible: true }) })),

  mount(calls.getCapsule, async ({ capsule }, { deps: { db } }) => {
    const [data] = await selectCapsules(db, { capsule, visible: true })
    if (data === undefined) throw refuse(calls.getCapsule, 'capsuleNotFound')
    return { data }
  }),

  mount(calls.getCapsuleChances, async ({ capsule }, { deps: { db, now }, session: { userNum } }) => {
    const [currentCapsule] = await selectCapsules(db, { capsule, visible: true })
    if (currentCapsule === undefined) throw refuse(calls.getCapsuleChances, 'capsuleNotFound')
    const { prizes, totalChance } = await selectNextChances(db, userNum, currentCapsule)
    const { draws, spent } = await selectDrawStats(db, userNum, { capsule, now: now() })
    const limit = { ...(await readDrawLimit(db, userNum, now())), today: await countDrawsToday(db, userNum, now()) }
    return {
      version: currentCapsule.version,
      price: currentCapsule.price,
      out_of: totalChance,
      prizes,
      draws,
      spent,
      limit,
    }
  }),

  mount(calls.drawCapsule, async (input, { deps, session: { userNum } }) => {
    const answer = await drawPrize(deps, userNum, input)
    deps.metrics.countPurchase()
    return answer
  }),

  mount(calls.setCapsuleLimit, async ({ draws }, { deps: { db, now }, session: { userNum } }) => {
    const isRaise = await setDrawLimit(db, userNum, { draws, now: now() })
    return { message: isRaise ? calls.CAPSULE_TEXTS.limitLater : calls.CAPSULE_TEXTS.limitSet }
  }),

  mount(calls.getCapsuleDraws, async ({ after }, { deps: { db }, session: { userNum } }) => {
    const { draws, next } = await selectDraws(db, userNum, after)
    return { draws, next }
  }),
]
