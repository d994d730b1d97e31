import { clockParts } from '#contract/manila.ts'
import { getClubAreas, getSite, getTime } from '#contract/site.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { selectClubAreas, selectSchoolCounts } from './queries.ts'

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
      schools: await selectSchoolCounts(deps.db),
    }
  }),
  mount(getTime, (_, { deps: { now } }) => {
    const { leading, minutes } = clockParts(now())
    return { time: `${leading} ${minutes}`, epoch_ms: now().getTime() }
  }),
  mount(getClubAreas, async (_, { deps }) => ({ data: await selectClubAreas(deps.db) })),
]
