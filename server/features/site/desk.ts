import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import * as calls from '#contract/site.ts'
import { parseChecksums, parseFilms, type SiteKind } from '#contract/site.ts'
import { createCollection } from '#server/collections.ts'
import type { Db } from '#server/db/open.ts'
import { createInputRefusal } from '#server/errors.ts'
import { type DeskTools, type MountedCall, mount } from '#server/http/mount.ts'
import { approveOutsideLinks } from '#server/http/outside-links.ts'

const toDate = (moment: string | null) => (moment === null ? null : new Date(moment))

/** The size of a film whose size is unknown. */
const DEFAULT_FILM_SIZE = { width: 960, height: 540 }
const getMediaType = (film: string) => (/\.webm(\?|$)/.test(film) ? 'video/webm' : 'video/mp4')

const notFoundError = 'entryNotFound'
const createMediaCollection = (kind: string) =>
  createCollection('media', { notFoundName: notFoundError, condition: sql`kind = ${kind}`, newRowPosition: 'first' })

const COLLECTIONS = {
  banners: createCollection('banners', { notFoundName: notFoundError, newRowPosition: 'first' }),
  downloads: createCollection('downloads', { notFoundName: notFoundError, key: 'seq', newRowPosition: 'last' }),
  gallery: createMediaCollection('gallery'),
  wallpaper: createMediaCollection('wallpaper'),
  movie: createMediaCollection('movie'),
  'club-areas': createCollection('club_areas', { notFoundName: notFoundError, newRowPosition: 'last' }),
}

/** The calls of the desk about banners, downloads, gallery, wallpapers, movies and club areas. */
export const siteDeskCalls: MountedCall[] = [
  mount(calls.getDeskBanners, async (_, { deps: { db } }) => {
    const rows = await db.selectFrom('banners').selectAll().orderBy('position').orderBy('id').execute()
    return {
      rows,
      next: null,
    }
  }),

  mount(calls.saveBanner, async (input, context) => {
    const { id, version, shown_from, shown_until, first_line, second_line, ...values } = input
    const before = id === null ? null : await selectBanner(context.deps.db, id)
    await approveOutsideLinks(context, 'site.write', {
      what: id === null ? 'a new banner' : `banner ${id}`,
      // Players have not seen the address of a hidden banner.
      before: before?.visible === true ? before : null,
      after: values.visible ? values : null,
    })
    const times = { shown_from: toDate(shown_from), shown_until: toDate(shown_until) }
    const title = [first_line, second_line].filter((line) => line !== '')
    return saveEntry('banners', { id, version }, { ...values, title, ...times }, context)
  }),

  mount(calls.getDeskDownloads, async (_, { deps: { db } }) => {
    const rows = await db.selectFrom('downloads').selectAll().orderBy('position').orderBy('seq').execute()
    return {
      rows: rows.map(({ seq, ...row }) => ({ ...row, id: seq })),
      next: null,
    }
  }),

  mount(calls.saveDownload, async ({ id, version, link_date, ...values }, context) => {
    const before = id === null ? undefined : await selectDownload(context.deps.db, id)
    const savedEntry = await saveEntry(
      'downloads',
      { id, version },
      { ...values, link_date: new Date(link_date) },
      context,
    )
    if (before === undefined || isAnotherProgram(before, values)) {
      context.requirePermission('downloads.write')
      const { link_name: name, link_address: address, link_description: description, visible } = values
      await context.requireApproval({
        approverKind: 'owner',
        accounts: [],
        summary: `Give players the download “${name}” from ${address}`,
        effect: { download: id, before: before ?? null, after: { name, address, description, visible } },
      })
    }
    return savedEntry
  }),

  mount(calls.getDeskMedia, async ({ kind }, { deps: { db } }) => {
    const rows = await db
      .selectFrom('media')
      .where('kind', '=', kind)
      .selectAll()
      .orderBy('position')
      .orderBy('id')
      .execute()
    return { rows, next: null }
  }),

  mount(calls.saveMedia, ({ id, version, previews, files, films, captions, ...values }, context) => {
    const addresses = parseFilms(films)
    if (values.kind === 'movie' && addresses.length === 0)
      throw createInputRefusal({ films: ['Enter where the film is.'] })
    const filmFiles = addresses.map(
      (url) => files.find((file) => file.url === url) ?? { url, ...DEFAULT_FILM_SIZE, type: getMediaType(url) },
    )
    const lists = {
      previews: JSON.stringify(previews),
      files: JSON.stringify(values.kind === 'movie' ? filmFiles : files),
      captions: JSON.stringify(captions),
      picture: previews[0]?.url ?? null,
    }
    const creation = id === null ? { created_at: context.deps.now() } : {}
    return saveEntry(values.kind, { id, version }, { ...values, ...lists, ...creation }, context)
  }),

  mount(calls.getDeskClubAreas, async (_, { deps: { db } }) => {
    const rows = await db.selectFrom('club_areas').selectAll().orderBy('position').orderBy('id').execute()
    return { rows, next: null }
  }),

  mount(calls.saveClubArea, ({ id, version, club, ...values }, context) =>
    saveEntry('club-areas', { id, version }, { ...values, club: club || null }, context),
  ),

  mount(calls.orderEntries, async ({ kind, ids }, { deps: { db: tx }, record }) => {
    const before = await COLLECTIONS[kind].reorder(tx, calls.orderEntries, ids)
    record({ target: [kind, 'order'], before: { order: before }, after: { order: ids } })
    return { message: 'The order is saved.' }
  }),

  mount(calls.deleteEntry, async ({ kind, ...entry }, { deps: { db: tx }, record }) => {
    const before = await COLLECTIONS[kind].remove(tx, calls.deleteEntry, entry)
    record({ target: [kind, entry.id], before })
    return { message: 'Deleted.' }
  }),
]

const selectBanner = (tx: Db, id: number) =>
  tx.selectFrom('banners').where('id', '=', id).selectAll().executeTakeFirst()

type DownloadProgram = { link_address: string; link_description: string; visible: boolean }

const selectDownload = (tx: Db, id: number) =>
  tx
    .selectFrom('downloads')
    .where('seq', '=', id)
    .select(['link_name', 'link_address', 'link_description', 'visible'])
    .executeTakeFirst()

/**
 * Returns whether players may get another program, because the address or a hash has changed or the download is shown again.
 */
const isAnotherProgram = (before: DownloadProgram, after: DownloadProgram) =>
  before.link_address !== after.link_address ||
  (after.visible && !before.visible) ||
  !isDeepStrictEqual(parseChecksums(before.link_description), parseChecksums(after.link_description))

type SaveContext = Pick<DeskTools, 'record'> & { deps: { db: Db } }

async function saveEntry(
  kind: SiteKind,
  entry: { id: number | null; version: number },
  values: Record<string, unknown>,
  { deps: { db: tx }, record }: SaveContext,
) {
  const { id, before, after } = await COLLECTIONS[kind].save(tx, calls.orderEntries, entry, values)
  record({ target: [kind, id], before, after })
  return {
    message: entry.id === null ? 'Added. Players see it within seconds.' : 'Saved. Players see it within seconds.',
    id,
  }
}
