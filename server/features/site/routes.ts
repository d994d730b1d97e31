import { clockParts } from '#contract/manila.ts'
import { getClubAreas, getSite, getTime, type Site } from '#contract/site.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { countCharactersBySchool, selectClubAreas } from './queries.ts'

/** What the shell shows: the site itself, the shared clock, the club areas. */
export const siteCalls: Mounted[] = [
  mount(getSite, async (_, { deps }) => {
    const { config, publicUrl } = deps
    return {
      app_name: config.appName,
      public_url: publicUrl,
      agent_url: config.agentUrl ?? null,
      social_url: config.socialUrl ?? null,
      operator_name: config.operatorName,
      operator_email: config.operatorEmail ?? null,
      demo: config.demo,
      schools: await countSchools(deps),
    }
  }),
  mount(getTime, (_, { deps: { now } }) => {
    const { leading, minutes } = clockParts(now())
    return { time: `${leading} ${minutes}`, epoch_ms: now().getTime() }
  }),
  mount(getClubAreas, async (_, { deps }) => ({ data: await selectClubAreas(deps.db) })),
]

const COUNT_LIFETIME_MS = 10 * 60_000
const counts = new WeakMap<Db, { at: number; schools: Site['schools'] }>()

/** The characters of each school, counted every ten minutes because counting reads them all. */
async function countSchools({ db, now }: Deps): Promise<Site['schools']> {
  const at = now().getTime()
  const counted = counts.get(db)
  if (counted !== undefined && at - counted.at <= COUNT_LIFETIME_MS) return counted.schools
  const rows = await countCharactersBySchool(db)
  const schools = rows.map(({ school, characters }) => ({ school, characters: Number(characters) }))
  counts.set(db, { at, schools })
  return schools
}
