import { z } from 'zod'
import type { Db } from '#server/db/open.ts'
import { readTable, span } from './read.ts'
import { before, type World } from './world.ts'

/**
 * A title is one or two lines of one to three short words, with a slash between them. The scenes have the same numbers.
 */
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
  age: span,
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
    link_date: before(now, age),
  }))
  await tx.insertInto('downloads').values(downloads).execute()
  const areas = readTable('tables/club-areas.csv', z.strictObject({ name: z.string() })).map(({ name }, index) => ({
    name,
    picture: `/art/club-${index + 1}.svg`,
  }))
  await tx.insertInto('club_areas').values(areas).execute()
}
