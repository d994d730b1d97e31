import { isOriginalTheme, listThemeArt, ORIGINAL_THEME, type SiteTheme, type Theme } from '#contract/theme.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'

/** Selects the theme that players see. `look` is 0 for the original theme of a site that has never published another. */
export async function selectPublished(db: Db): Promise<{ look: number; value: Theme; stylesheet: string | null }> {
  const row = await db
    .selectFrom('looks')
    .select(['look', 'value', 'stylesheet'])
    .orderBy('look', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { look: 0, value: ORIGINAL_THEME, stylesheet: null }
}

/** Selects the draft of the theme, if there is one. */
export const selectDraft = (db: Db) =>
  db.selectFrom('look_draft').select(['version', 'value', 'stylesheet', 'saved_at', 'saved_by']).executeTakeFirst()

/** Returns the fields of a theme that pages need, or null for the original theme. */
export const describeTheme = ({ value, stylesheet }: { value: Theme; stylesheet: string | null }): SiteTheme | null =>
  isOriginalTheme(value)
    ? null
    : { stylesheet, ground: value.colors.ground, pictures: value.pictures, art: listThemeArt(value.pictures) }

type PublishedTheme = Awaited<ReturnType<typeof selectPublished>>

/** Returns the theme that players see, from the cache if possible. */
export async function readTheme(deps: Pick<Deps, 'db' | 'cache'>): Promise<PublishedTheme> {
  return (await deps.cache.getValue('look', () => selectPublished(deps.db))) as PublishedTheme
}

/** Returns the fields of the theme that pages need, from the cache if possible. */
export async function readSiteTheme(deps: Pick<Deps, 'db' | 'cache'>): Promise<SiteTheme | null> {
  return describeTheme(await readTheme(deps))
}
