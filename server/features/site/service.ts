import { clockParts } from '#contract/manila.ts'
import type { Site } from '#contract/site.ts'
import type { Deps } from '#server/deps.ts'
import { countCharactersBySchool } from './queries.ts'

const COUNT_LIFETIME_MS = 10 * 60_000

/** Describes the site for the shell. Characters are counted at most every ten minutes. */
export function createSiteService({ db, now, config, publicUrl }: Deps) {
  let counted: { at: number; schools: Site['schools'] } | undefined

  async function countSchools(): Promise<Site['schools']> {
    if (counted === undefined || now().getTime() - counted.at > COUNT_LIFETIME_MS) {
      const rows = await countCharactersBySchool(db)
      counted = {
        at: now().getTime(),
        schools: rows.map(({ school, characters }) => ({ school, characters: Number(characters) })),
      }
    }
    return counted.schools
  }

  return {
    describe: async (): Promise<Site> => ({
      app_name: config.appName,
      public_url: publicUrl,
      agent_url: config.agentUrl ?? null,
      social_url: config.socialUrl ?? null,
      operator_name: config.operatorName,
      operator_email: config.operatorEmail ?? null,
      demo: config.demo,
      schools: await countSchools(),
    }),
    /** The shared time source: a leading part and a trailing hh:mm (SPEC §3). */
    tellTime: () => {
      const { leading, minutes } = clockParts(now())
      return { time: `${leading} ${minutes}`, epoch_ms: now().getTime() }
    },
  }
}
