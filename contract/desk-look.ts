import { z } from 'zod'
import { deskCalls } from './desk.ts'
import { changedMeanwhile, messageSchema } from './errors.ts'
import { LOOK_SLOT_NAMES, lookForm } from './look.ts'
import { moment } from './scalars.ts'

const desk = deskCalls('look', { read: 'look.write' })

const lookSchema = z.object({
  title: z.string(),
  colors: z.object({ ground: z.string(), accent: z.string(), second: z.string() }),
  pictures: z.partialRecord(z.enum(LOOK_SLOT_NAMES), z.array(z.string())),
})
const draftSchema = lookSchema.extend({ version: z.int(), saved_at: moment, saved_by: z.string() })

const version = z.int('Load this again.').meta({ description: 'That of the draft; 0 where there is none' })
const noDraft = { status: 404, message: 'There is no draft. Save one first.' } as const

export const getLook = desk.read('/admin/look', {
  summary: 'The look that players see, the draft, the earlier looks and those to start from',
  output: z.object({
    published: lookSchema.extend({ look: z.int().meta({ description: '0 for the original' }) }),
    draft: draftSchema.nullable(),
    earlier: z
      .array(z.object({ look: z.int(), title: z.string(), published_at: moment, published_by: z.string() }))
      .meta({ description: 'Newest first, with the present one' }),
    shipped: z.array(z.object({ name: z.string(), title: z.string() })),
  }),
})

export const saveLook = desk.write('/admin/look/save', {
  title: 'Save theme draft',
  summary: 'Save the draft of a look; players see nothing of it',
  fields: lookForm,
  output: messageSchema.extend({ version: z.int() }),
  errors: {
    changedMeanwhile,
    noPicture: { status: 422, message: 'A picture is gone. Upload it again.', field: 'pictures' },
  },
})

export const discardLook = desk.write('/admin/look/discard', {
  title: 'Discard theme draft',
  summary: 'Throw the draft of a look away',
  input: { body: z.object({ version }) },
  errors: { changedMeanwhile, noDraft },
})

export const publishLook = desk.write('/admin/look/publish', {
  title: 'Publish theme',
  summary: 'Show the draft to players',
  input: { body: z.object({ version }) },
  errors: { changedMeanwhile, noDraft },
})

export const restoreLook = desk.write('/admin/look/restore', {
  title: 'Restore theme',
  summary: 'Show an earlier look or the original to players again',
  input: { body: z.object({ look: z.int('Choose a look.').meta({ description: '0 for the original' }) }) },
  errors: { noLook: { status: 404, message: 'There is no such look.' } },
})

export const previewLook = desk.read('/admin/look/preview', {
  title: 'Preview theme',
  summary: 'An address that shows the draft on the real pages for ten minutes',
  method: 'POST',
  input: { body: z.object({ version }) },
  output: z.object({ path: z.string() }),
  errors: { noDraft },
})

export const exportLook = desk.read('/admin/look/file', {
  summary: 'The draft, or without one the published look, as a file for others',
  output: z.file(),
})

/** The largest file of a look, and what may be in it unpacked. */
export const LOOK_FILE_MAX_BYTES = 10 * 1024 * 1024

export const LOOK_FILE = {
  hint: 'A .zip file that a site like this one exported, at most 10 MB.',
  none: 'Choose the file of a look.',
  notAZip: 'This is not the file of a look: it is no zip file, or it is damaged.',
  noJson: 'This is not the file of a look: it has no look.json.',
  tooLarge: 'What is in the file would be larger than 10 MB.',
  badJson: 'Its look.json cannot be read.',
  missing: (name: string) => `The look names ${name}, which is not in the file.`,
} as const

export const importLook = desk.write('/admin/look/import', {
  title: 'Import theme',
  summary: 'Make the draft of a file that a site like this one exported',
  idempotent: false,
  input: {
    form: z.object({
      look: z.file(LOOK_FILE.none).meta({ description: LOOK_FILE.hint }),
      version: z.coerce.number('Load this again.').int(),
    }),
  },
  output: messageSchema.extend({ version: z.int() }),
  errors: { changedMeanwhile, tooLarge: { status: 413, message: LOOK_FILE.tooLarge, field: 'look' } },
})

export const startFromLook = desk.write('/admin/look/start-from', {
  title: 'Start from theme',
  summary: 'Make the draft of a look that comes with the site',
  idempotent: false,
  input: { body: z.object({ name: z.string().regex(/^[a-z-]{1,30}$/, 'Choose a look.'), version }) },
  output: messageSchema.extend({ version: z.int() }),
  errors: { changedMeanwhile, noLook: { status: 404, message: 'There is no such look.' } },
})
