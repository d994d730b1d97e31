import * as calls from '#contract/desk-theme.ts'
import { getSite } from '#contract/site.ts'
import { ORIGINAL_THEME, type Theme } from '#contract/theme.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { createPreview, type FindDraft, findPreviewAnswer } from '#server/preview.ts'
import { describeSite } from '../site/describe.ts'
import { discardDraft, insertTheme, publishDraft, saveDraft } from './draft.ts'
import { describeTheme, selectDraft, selectPublished } from './queries.ts'
import {
  listShippedThemes,
  type ParsedTheme,
  packTheme,
  readShippedTheme,
  readThemeFile,
  storeTheme,
} from './theme-file.ts'

/** The number of earlier themes that the desk lists. */
const EARLIER_THEMES_MAX = 20

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
export const themeDeskCalls: MountedCall[] = [
  mount(calls.getTheme, async (_, { deps: { db } }) => {
    const [published, draft, earlierThemes, shipped] = await Promise.all([
      selectPublished(db),
      selectDraft(db),
      db
        .selectFrom('looks')
        .select(['look', 'value', 'published_at', 'published_by'])
        .orderBy('look', 'desc')
        .limit(EARLIER_THEMES_MAX)
        .execute(),
      listShippedThemes(),
    ])
    return {
      published: { look: published.look, ...published.value },
      draft:
        draft === undefined
          ? null
          : { ...draft.value, version: draft.version, saved_at: draft.saved_at, saved_by: draft.saved_by },
      earlier: earlierThemes.map(({ value, ...row }) => ({ ...row, title: value.title })),
      shipped,
    }
  }),

  mount(calls.saveTheme, async ({ version, title, ground, accent, second, pictures }, { deps, staff, record }) => {
    const theme = { title, colors: { ground, accent, second }, pictures }
    const before = await readPresentTheme(deps.db)
    const savedVersion = await saveDraft(deps.db, theme, version, toAuthor(staff, deps.now()))
    record({ ...toTarget('draft'), before: toAuditValues(before), after: toAuditValues(theme) })
    return { message: 'Saved as a draft.', version: savedVersion }
  }),

  mount(calls.discardTheme, async ({ version }, { deps, record }) => {
    record({ ...toTarget('draft'), before: toAuditValues(await discardDraft(deps.db, version)) })
    return { message: 'The draft has been deleted.' }
  }),

  mount(calls.publishTheme, async ({ version }, { deps, staff, record }) => {
    const before = await selectPublished(deps.db)
    const theme = await publishDraft(deps.db, version, toAuthor(staff, deps.now()))
    record({ ...toTarget('published'), before: toAuditValues(before.value), after: toAuditValues(theme) })
    return { message: `Players see “${theme.title}” now.` }
  }),

  mount(calls.restoreTheme, async ({ look: number }, { deps: { db, now }, staff, record }) => {
    const before = await selectPublished(db)
    const earlierTheme =
      number === 0
        ? ORIGINAL_THEME
        : (await db.selectFrom('looks').where('look', '=', number).select('value').executeTakeFirst())?.value
    if (earlierTheme === undefined) throw refuse(calls.restoreTheme, 'themeNotFound')
    await insertTheme(db, earlierTheme, toAuthor(staff, now()))
    record({ ...toTarget('published'), before: toAuditValues(before.value), after: toAuditValues(earlierTheme) })
    return { message: `Players see “${earlierTheme.title}” now.` }
  }),

  mount(calls.previewTheme, async ({ version }, { deps, record }) => {
    if ((await selectDraft(deps.db))?.version !== version) throw refuse(calls.previewTheme, 'draftNotFound')
    record({ ...toTarget('draft'), after: { preview: 'opened' } })
    return { path: await createPreview(deps, { kind: 'look', name: 'draft' }) }
  }),

  mount(calls.exportTheme, async (_, { deps: { db } }) => packTheme(db, await readPresentTheme(db))),

  mount(calls.importTheme, {
    prepare: ({ look: file }) => {
      if (file.size > calls.THEME_FILE_MAX_BYTES) throw refuse(calls.importTheme, 'tooLarge')
      return readThemeFile(file)
    },
    write: async ({ version }, { deps, staff, prepared, record }) => {
      const { theme, savedVersion } = await storeAsDraft(deps.db, prepared, version, toAuthor(staff, deps.now()))
      record({ ...toTarget('draft'), after: toAuditValues(theme) })
      return { message: `“${theme.title}” is the draft now. Check it before you publish it.`, version: savedVersion }
    },
  }),

  mount(calls.startFromTheme, {
    prepare: async ({ name }) => {
      const theme = await readShippedTheme(name)
      if (theme === undefined) throw refuse(calls.startFromTheme, 'themeNotFound')
      return theme
    },
    write: async ({ version }, { deps, staff, prepared, record }) => {
      const { theme, savedVersion } = await storeAsDraft(deps.db, prepared, version, toAuthor(staff, deps.now()))
      record({ ...toTarget('draft'), after: toAuditValues(theme) })
      return { message: `“${theme.title}” is the draft now.`, version: savedVersion }
    },
  }),
]

const toAuthor = ({ userId }: Staff, now: Date) => ({ name: userId, now })

async function storeAsDraft(tx: Db, themeFile: ParsedTheme, version: number, author: { name: string; now: Date }) {
  const theme = await storeTheme(tx, themeFile, await readPresentTheme(tx), author.now)
  return { theme, savedVersion: await saveDraft(tx, theme, version, author) }
}

/** Returns the draft's theme for a preview of the whole site (LOOK-15). */
export const findThemeDraft: FindDraft = async (deps) => {
  const draft = await selectDraft(deps.db)
  if (draft === undefined) return undefined
  return { path: '/', answer: findPreviewAnswer(getSite, () => describeSite(deps, describeTheme(draft))) }
}
