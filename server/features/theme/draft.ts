import { sql } from 'kysely'
import { publishTheme, saveTheme } from '#contract/desk-theme.ts'
import type { Theme } from '#contract/theme.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { findFileHash, storeStylesheet } from '#server/features/files/store.ts'
import { writeStylesheet } from './stylesheet.ts'

type Author = { name: string; now: Date }

/** Locks and returns the draft. @throws Refusal 404, 409 for another version */
async function lockDraft(tx: Db, version: number) {
  const draft = await tx.selectFrom('look_draft').selectAll().forUpdate().executeTakeFirst()
  if (draft === undefined) throw refuse(publishTheme, 'draftNotFound')
  if (draft.version !== version) throw refuse(publishTheme, 'conflict')
  return draft
}

const createStylesheet = async (tx: Db, theme: Theme, now: Date) => {
  const css = writeStylesheet(theme)
  return css === null ? null : storeStylesheet(tx, css, now)
}

/**
 * Saves the draft.
 *
 * @param version the version of the draft that was edited; 0 for the first draft
 * @returns the version of the new draft
 * @throws Refusal 409 when another operator has saved, 422 for a deleted picture
 */
export async function saveDraft(tx: Db, theme: Theme, version: number, { name, now }: Author): Promise<number> {
  await requirePictures(tx, theme)
  const values = {
    value: JSON.stringify(theme),
    stylesheet: await createStylesheet(tx, theme, now),
    saved_at: now,
    saved_by: name,
  }
  const savedDraft =
    version === 0
      ? await tx
          .insertInto('look_draft')
          .values({ ...values, version: 1 })
          .onConflict((conflict) => conflict.column('is_only').doNothing())
          .returning('version')
          .executeTakeFirst()
      : await tx
          .updateTable('look_draft')
          .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
          // The browser's value may be larger than any version in the database.
          .where(sql<number>`version::bigint`, '=', version)
          .returning('version')
          .executeTakeFirst()
  if (savedDraft === undefined) throw refuse(saveTheme, 'conflict')
  return savedDraft.version
}

/** Requires that operators, not players, uploaded every picture of a theme. @throws Refusal 422 */
async function requirePictures(tx: Db, { pictures }: Theme): Promise<void> {
  const hashes = [
    ...new Set(Object.values(pictures).flatMap((addresses) => addresses.map((address) => findFileHash(address) ?? ''))),
  ]
  if (hashes.length === 0) return
  const foundFiles = await tx
    .selectFrom('files')
    .where('hash', 'in', hashes)
    .where('of_players', '=', false)
    .where('width', 'is not', null)
    .select('hash')
    .execute()
  if (foundFiles.length < hashes.length) throw refuse(saveTheme, 'pictureNotFound')
}

/** Discards the draft. @returns the discarded draft @throws Refusal 404, 409 */
export async function discardDraft(tx: Db, version: number): Promise<Theme> {
  const { value } = await lockDraft(tx, version)
  await tx.deleteFrom('look_draft').execute()
  return value
}

/** Publishes the draft, and deletes it (LOOK-14). @throws Refusal 404, 409 */
export async function publishDraft(tx: Db, version: number, author: Author): Promise<Theme> {
  const { value } = await lockDraft(tx, version)
  await insertTheme(tx, value, author)
  await tx.deleteFrom('look_draft').execute()
  return value
}

/** Publishes a theme. */
export async function insertTheme(tx: Db, theme: Theme, { name, now }: Author): Promise<void> {
  const stylesheet = await createStylesheet(tx, theme, now)
  await tx
    .insertInto('looks')
    .values({ value: JSON.stringify(theme), stylesheet, published_at: now, published_by: name })
    .execute()
}
