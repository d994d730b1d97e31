import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PICTURE, PICTURE_USE_NAMES } from './pictures.ts'

const share = z.coerce.number(PICTURE.crop).min(0, PICTURE.crop).max(1, PICTURE.crop)

/** Keeps a picture for news, items or the site. What nothing shows is deleted 30 days later. */
export const uploadPicture = endpoint({
  method: 'POST',
  path: '/admin/files',
  summary: 'Upload a picture; it is cut and kept in the sizes of its use',
  area: 'desk: site',
  access: 'staff',
  input: {
    form: z.object({
      picture: z.file(PICTURE.none).meta({ description: PICTURE.hint }),
      use: z.enum(PICTURE_USE_NAMES, 'Say what the picture is for.'),
      left: share.optional().meta({ description: 'The part to keep, in shares of width and height, 0 to 1' }),
      top: share.optional(),
      width: share.optional(),
      height: share.optional(),
    }),
  },
  output: z.object({
    files: z
      .array(z.object({ url: z.string(), type: z.string(), width: z.int(), height: z.int() }))
      .meta({ description: 'Where the picture is, the largest size first' }),
  }),
  errors: { tooLarge: { status: 413, message: 'That is too large: at most 12 MB.', field: 'picture' } },
})

export const CAPTIONS_MAX_BYTES = 512 * 1024
export const NOT_CAPTIONS = 'Choose a WebVTT caption file (.vtt) of at most 512 kB.'

/** Keeps the captions of a film, like a picture. */
export const uploadCaptions = endpoint({
  method: 'POST',
  path: '/admin/captions',
  summary: 'Upload the captions of a film',
  area: 'desk: site',
  access: 'site.write',
  input: { form: z.object({ captions: z.file(NOT_CAPTIONS).meta({ description: NOT_CAPTIONS }) }) },
  output: z.object({ url: z.string() }),
})
