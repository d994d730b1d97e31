import { z } from 'zod'
import { MINUTE_MS } from '#contract/durations.ts'
import { getOccurrences } from '#contract/events.ts'
import type { Db } from '#server/db/open.ts'
import { readTable, timeSpan } from './read.ts'
import { subtractMs, type World } from './world.ts'

/** A title has one or two lines of one to three short words, separated by a slash. The scenes have the same numbers. */
const bannerRow = z.strictObject({
  title: z.string().transform((title) => title.split(' / ')),
  line: z.string(),
  tag: z.string(),
  href: z.string(),
})

/** A description has one fact per line, in the format of docs/OPERATING.md. */
const downloadRow = z.strictObject({
  link_name: z.string(),
  link_address: z.url(),
  link_type: z.enum(['full', 'mirror', 'patch', 'torrent']),
  link_icon: z.enum(['download', 'mirror', 'patch', 'torrent']),
  age: timeSpan,
  link_version: z.string().default(''),
  link_size: z.string().default(''),
  link_changes: z.string().default(''),
  link_description: z.string(),
})

/** Inserts banners, downloads and club areas. */
export async function insertSite(tx: Db, { now }: World): Promise<void> {
  const banners = readTable('tables/banners.csv', bannerRow).map((banner, position) => ({
    ...banner,
    position,
    picture: `/art/banner-${position + 1}.svg`,
    picture_phone: `/art/banner-${position + 1}-phone.svg`,
  }))
  await tx.insertInto('banners').values(banners).execute()
  const downloads = readTable('tables/downloads.csv', downloadRow).map(({ age, ...link }, position) => ({
    ...link,
    position,
    link_date: subtractMs(now, age),
  }))
  await tx.insertInto('downloads').values(downloads).execute()
  const areas = readTable('tables/club-areas.csv', z.strictObject({ name: z.string() })).map(({ name }, index) => ({
    name,
    picture: `/art/club-${index + 1}.svg`,
  }))
  await tx.insertInto('club_areas').values(areas).execute()
}

/**
 * Inserts the holders of the areas after past wars. Each war changed the holders, and after the last one all areas are
 * neutral.
 */
export async function insertAreaHolders(tx: Db, { now }: World): Promise<void> {
  const war = await tx.selectFrom('events').where('club_war', '=', true).selectAll().executeTakeFirstOrThrow()
  const pastWars = getOccurrences(war, { from: 0, until: now.getTime() }).filter(({ until }) => until <= now.getTime())
  const clubs = (await tx.selectFrom('clubs').select('name').orderBy('club').limit(8).execute()).map(({ name }) => name)
  const areas = await tx.selectFrom('club_areas').select(['id', 'name']).orderBy('id').execute()
  const changes = pastWars.flatMap(({ from, until }, nth) =>
    areas.map(({ id, name }, index) => ({
      area: id,
      area_name: name,
      club: until === pastWars.at(-1)?.until ? null : (clubs[(nth * 3 + index * (nth + 1)) % clubs.length] ?? null),
      since: new Date(Math.min(until, from + (20 + index * 15) * MINUTE_MS)),
    })),
  )
  if (changes.length === 0) return
  await tx.insertInto('area_holders').values(changes).execute()
  for (const { area, since } of changes.slice(-areas.length))
    await tx.updateTable('club_areas').set({ held_since: since }).where('id', '=', area).execute()
}
