import { isOriginal, type Look, listOwnArt, ORIGINAL_LOOK, type SiteLook } from '#contract/look.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'

/** The look that players see; `look` is 0 for the original of a site that never had another. */
export async function selectPublished(db: Db): Promise<{ look: number; value: Look; stylesheet: string | null }> {
  const row = await db
    .selectFrom('looks')
    .select(['look', 'value', 'stylesheet'])
    .orderBy('look', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { look: 0, value: ORIGINAL_LOOK, stylesheet: null }
}

/** The look that is being made, if there is one. */
export const selectDraft = (db: Db) =>
  db.selectFrom('look_draft').select(['version', 'value', 'stylesheet', 'saved_at', 'saved_by']).executeTakeFirst()

/** A look as pages need it; null for the original. */
export const describeLook = ({ value, stylesheet }: { value: Look; stylesheet: string | null }): SiteLook | null =>
  isOriginal(value)
    ? null
    : { stylesheet, ground: value.colors.ground, pictures: value.pictures, art: listOwnArt(value.pictures) }

type Published = Awaited<ReturnType<typeof selectPublished>>

/** The look that players see, from memory like the settings. */
export async function readLook(deps: Pick<Deps, 'db' | 'cache'>): Promise<Published> {
  return (await deps.cache.value('look', () => selectPublished(deps.db))) as Published
}

/** The same as pages need it. */
export async function readSiteLook(deps: Pick<Deps, 'db' | 'cache'>): Promise<SiteLook | null> {
  return describeLook(await readLook(deps))
}
