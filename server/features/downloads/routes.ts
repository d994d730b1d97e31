import { getDownloadsAll } from '#contract/downloads.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { selectDownloads } from './queries.ts'

/** The downloads' call (SPEC §7). */
export const downloadCalls: Mounted[] = [
  mount(getDownloadsAll, async (_, { deps }) => {
    const links = await selectDownloads(deps.db)
    return { data: links.map((link) => ({ ...link, link_date: link.link_date.toISOString() })) }
  }),
]
