import { z } from 'zod'
import { declareDeskCalls } from './desk.ts'
import { conflict, messageSchema } from './errors.ts'
import { moment } from './scalars.ts'
import { THEME_SLOT_NAMES, themeForm } from './theme.ts'

const desk = declareDeskCalls('look', { read: 'look.write' })

const themeSchema = z.object({
  title: z.string(),
  colors: z.object({ ground: z.string(), accent: z.string(), second: z.string() }),
  pictures: z.partialRecord(z.enum(THEME_SLOT_NAMES), z.array(z.string())),
})
const draftSchema = themeSchema.extend({ version: z.int(), saved_at: moment, saved_by: z.string() })

const version = z.int('Reload the page.').meta({ description: 'The version of the draft; 0 without a draft' })
const draftNotFound = { status: 404, message: 'There is no draft. Save one first.' } as const

export const getTheme = desk.read('/admin/look', {
  summary: 'The theme that players see, the draft, the earlier themes and the ready-made themes',
  output: z.object({
    published: themeSchema.extend({ look: z.int().meta({ description: '0 for the original' }) }),
    draft: draftSchema.nullable(),
    earlier: z
      .array(z.object({ look: z.int(), title: z.string(), published_at: moment, published_by: z.string() }))
      .meta({ description: 'Newest first, including the published theme' }),
    shipped: z.array(z.object({ name: z.string(), title: z.string() })),
  }),
})

export const saveTheme = desk.write('/admin/look/save', {
  title: 'Save theme draft',
  summary: 'Save the draft of a theme; players do not see it',
  fields: themeForm,
  output: messageSchema.extend({ version: z.int() }),
  errors: {
    conflict,
    pictureNotFound: { status: 422, message: 'A picture was deleted. Upload it again.', field: 'pictures' },
  },
})

export const discardTheme = desk.write('/admin/look/discard', {
  title: 'Discard theme draft',
  summary: 'Discard the draft of a theme',
  input: { body: z.object({ version }) },
  errors: { conflict, draftNotFound },
})

export const publishTheme = desk.write('/admin/look/publish', {
  title: 'Publish theme',
  summary: 'Show the draft to players',
  input: { body: z.object({ version }) },
  errors: { conflict, draftNotFound },
})

export const restoreTheme = desk.write('/admin/look/restore', {
  title: 'Restore theme',
  summary: 'Show an earlier theme or the original to players again',
  input: { body: z.object({ look: z.int('Choose a theme.').meta({ description: '0 for the original' }) }) },
  errors: { themeNotFound: { status: 404, message: 'There is no such theme.' } },
})

export const previewTheme = desk.read('/admin/look/preview', {
  title: 'Preview theme',
  summary: 'An address that shows the draft on the real pages for ten minutes',
  method: 'POST',
  input: { body: z.object({ version }) },
  output: z.object({ path: z.string() }),
  errors: { draftNotFound },
})

export const exportTheme = desk.read('/admin/look/file', {
  summary: 'The draft, or the published theme if there is no draft, as a file for other sites',
  output: z.file(),
})

/** The maximum size of a theme's file, and also of its unpacked content. */
export const THEME_FILE_MAX_BYTES = 10 * 1024 * 1024

export const THEME_FILE_TEXTS = {
  hint: 'A .zip file that a site like this one exported, at most 10 MB.',
  none: 'Choose the file of a theme.',
  notAZip: 'This is not the file of a theme: it is not a zip file, or it is damaged.',
  jsonMissing: 'This is not the file of a theme: it has no look.json.',
  tooLarge: 'The unpacked file would be larger than 10 MB.',
  badJson: 'The look.json in this file cannot be read.',
  missing: (name: string) => `The look.json refers to ${name}, which is not in the file.`,
} as const

export const importTheme = desk.write('/admin/look/import', {
  title: 'Import theme',
  summary: 'Create the draft from a file that a site like this one exported',
  idempotent: false,
  input: {
    form: z.object({
      look: z.file(THEME_FILE_TEXTS.none).meta({ description: THEME_FILE_TEXTS.hint }),
      version: z.coerce.number('Reload the page.').int(),
    }),
  },
  output: messageSchema.extend({ version: z.int() }),
  errors: { conflict, tooLarge: { status: 413, message: THEME_FILE_TEXTS.tooLarge, field: 'look' } },
})

export const startFromTheme = desk.write('/admin/look/start-from', {
  title: 'Start from ready-made theme',
  summary: 'Create the draft from a ready-made theme',
  idempotent: false,
  input: { body: z.object({ name: z.string().regex(/^[a-z-]{1,30}$/, 'Choose a theme.'), version }) },
  output: messageSchema.extend({ version: z.int() }),
  errors: { conflict, themeNotFound: { status: 404, message: 'There is no such theme.' } },
})
