import * as calls from '#contract/desk-theme.ts'
import { getSite } from '#contract/site.ts'
import { ORIGINAL_THEME, type Theme } from '#contract/theme.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { createPreview, type FindDraft, findPreviewAnswer } from '#server/preview.ts'
import { describeSite } from '../site/describe.ts'
import { discardDraft, insertTheme, publishDraft, saveDraft } from './draft.ts'
import { describeTheme, selectDraft, selectPublished } from './queries.ts'
import {
  listShippedThemes,
  packTheme,
  type ReadTheme,
  readShippedTheme,
  readThemeFile,
  storeTheme,
} from './theme-file.ts'

/** The number of earlier themes that the desk lists. */
const EARLIER_MAX = 20

/** Describes a theme for the audit log. */
const toAuditValues = ({ title, colors, pictures }: Theme) => ({
  title,
  ...colors,
  pictures: Object.keys(pictures).join(', '),
})
const toTarget = (name: string) => ({ target: ['look', name] as const })

/** Returns the draft if there is one, otherwise the published theme. */
const readPresentTheme = async (db: Db): Promise<Theme> =>
  (await selectDraft(db))?.value ?? (await selectPublished(db)).value

/** The calls of the desk about the site's theme. */
export const themeDeskCalls: Mounted[] = [
  mount(calls.getTheme, async (_, { deps: { db } }) => {
    const [published, draft, earlier, shipped] = await Promise.all([
      selectPublished(db),
      selectDraft(db),
      db
        .selectFrom('looks')
        .select(['look', 'value', 'published_at', 'published_by'])
        .orderBy('look', 'desc')
        .limit(EARLIER_MAX)
        .execute(),
      listShippedThemes(),
    ])
    return {
      published: { look: published.look, ...published.value },
      draft:
        draft === undefined
          ? null
          : { ...draft.value, version: draft.version, saved_at: draft.saved_at, saved_by: draft.saved_by },
      earlier: earlier.map(({ value, ...row }) => ({ ...row, title: value.title })),
      shipped,
    }
  }),

  mount(calls.saveTheme, async ({ version, title, ground, accent, second, pictures }, { deps, staff, record }) => {
    const look = { title, colors: { ground, accent, second }, pictures }
    const before = await readPresentTheme(deps.db)
    const saved = await saveDraft(deps.db, look, version, toAuthor(staff, deps.now()))
    record({ ...toTarget('draft'), before: toAuditValues(before), after: toAuditValues(look) })
    return { message: 'Saved as a draft.', version: saved }
  }),

  mount(calls.discardTheme, async ({ version }, { deps, record }) => {
    record({ ...toTarget('draft'), before: toAuditValues(await discardDraft(deps.db, version)) })
    return { message: 'The draft has been deleted.' }
  }),

  mount(calls.publishTheme, async ({ version }, { deps, staff, record }) => {
    const before = await selectPublished(deps.db)
    const look = await publishDraft(deps.db, version, toAuthor(staff, deps.now()))
    record({ ...toTarget('published'), before: toAuditValues(before.value), after: toAuditValues(look) })
    return { message: `Players see “${look.title}” now.` }
  }),

  mount(calls.restoreTheme, async ({ look }, { deps: { db, now }, staff, record }) => {
    const before = await selectPublished(db)
    const earlier =
      look === 0
        ? ORIGINAL_THEME
        : (await db.selectFrom('looks').where('look', '=', look).select('value').executeTakeFirst())?.value
    if (earlier === undefined) throw refuse(calls.restoreTheme, 'themeNotFound')
    await insertTheme(db, earlier, toAuthor(staff, now()))
    record({ ...toTarget('published'), before: toAuditValues(before.value), after: toAuditValues(earlier) })
    return { message: `Players see “${earlier.title}” now.` }
  }),

  mount(calls.previewTheme, async ({ version }, { deps, record }) => {
    if ((await selectDraft(deps.db))?.version !== version) throw refuse(calls.previewTheme, 'draftNotFound')
    record({ ...toTarget('draft'), after: { preview: 'opened' } })
    return { path: await createPreview(deps, { kind: 'look', name: 'draft' }) }
  }),

  mount(calls.exportTheme, async (_, { deps: { db } }) => packTheme(db, await readPresentTheme(db))),

  mount(calls.importTheme, {
    prepare: ({ look }) => {
      if (look.size > calls.THEME_FILE_MAX_BYTES) throw refuse(calls.importTheme, 'tooLarge')
      return readThemeFile(look)
    },
    write: async ({ version }, { deps, staff, prepared, record }) => {
      const { look, saved } = await storeAsDraft(deps.db, prepared, version, toAuthor(staff, deps.now()))
      record({ ...toTarget('draft'), after: toAuditValues(look) })
      return { message: `“${look.title}” is the draft now. Check it before you publish it.`, version: saved }
    },
  }),

  mount(calls.startFromTheme, {
    prepare: async ({ name }) => {
      const look = await readShippedTheme(name)
      if (look === undefined) throw refuse(calls.startFromTheme, 'themeNotFound')
      return look
    },
    write: async ({ version }, { deps, staff, prepared, record }) => {
      const { look, saved } = await storeAsDraft(deps.db, prepared, version, toAuthor(staff, deps.now()))
      record({ ...toTarget('draft'), after: toAuditValues(look) })
      return { message: `“${look.title}” is the draft now.`, version: saved }
    },
  }),
]

const toAuthor = ({ userId }: Staff, now: Date) => ({ name: userId, now })

async function storeAsDraft(tx: Db, read: ReadTheme, version: number, author: { name: string; now: Date }) {
  const look = await storeTheme(tx, read, await readPresentTheme(tx), author.now)
  return { look, saved: await saveDraft(tx, look, version, author) }
}

/** Returns the draft's theme for a preview of the whole site (LOOK-15). */
export const findThemeDraft: FindDraft = async (deps) => {
  const draft = await selectDraft(deps.db)
  if (draft === undefined) return undefined
  return { path: '/', answer: findPreviewAnswer(getSite, () => describeSite(deps, describeTheme(draft))) }
}
