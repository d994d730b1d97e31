import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { getMedia, type MediaKind } from '#contract/media.ts'
import type { Db } from '#server/db/open.ts'
import type { Frontend } from '#server/frontend.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readStoredFileSize } from '../files/store.ts'

/** The call of gallery, wallpapers and movies (MEDIA-1). */
export const mediaCalls: MountedCall[] = [
  mount(getMedia, async ({ kind }, { deps }) => {
    const rows = await selectMedia(deps.db, kind)
    const data = rows.map(async (row) => ({
      ...row,
      // Operators do not enter the sizes of the site's files, because the files can change.
      files: await Promise.all(
        row.files.map(async (file) => ({
          ...file,
          bytes: (await readBytes(deps.frontend, file.url)) ?? (await readStoredFileSize(deps.db, file.url)),
        })),
      ),
    }))
    return { data: await Promise.all(data) }
  }),
]

/** Returns the size of one of the site's own files in bytes, or null for any other address. */
async function readBytes({ findFile }: Frontend, url: string): Promise<number | null> {
  const path = await findFile(url)
  return path === null ? null : (await stat(path)).size
}

/** Selects the visible entries of a kind, in the operators' order. */
function selectMedia(db: Db, kind: MediaKind) {
  return db
    .selectFrom('media')
    .where('kind', '=', kind)
    .where('visible', '=', true)
    .where(sql<boolean>`have_links(files)`)
    .select([
      'id',
      'title',
      'description',
      'alt',
      'credit',
      'created_at',
      'picture',
      'previews',
      'files',
      'captions',
      'seconds',
    ])
    .orderBy('position')
    .orderBy('id')
    .execute()
}
