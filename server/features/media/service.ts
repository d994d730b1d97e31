import type { Media, MediaKind } from '#contract/media.ts'
import type { Deps } from '#server/deps.ts'
import { publicFileBytes } from '#server/http/static-files.ts'
import { selectMedia } from './queries.ts'

/** The media of one kind. Sizes of the site's own files are read from disk, so they are always right. */
export async function listMedia({ db }: Pick<Deps, 'db'>, kind: MediaKind): Promise<Media[]> {
  const rows = await selectMedia(db, kind)
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      files: await Promise.all(row.files.map(async (file) => ({ ...file, bytes: await publicFileBytes(file.url) }))),
    })),
  )
}
