import { randomUUID } from 'node:crypto'
import { SCREENSHOT_MAX_BYTES, SCREENSHOT_SIDE_MAX_PX, SCREENSHOTS_MAX } from '#contract/limits.ts'
import { SCREENSHOT_TEXTS } from '#contract/tickets.ts'
import { createInputRefusal, Refusal } from '#server/errors.ts'
import { encodePicture, type Picture, toPictureName } from '#server/features/files/pictures.ts'

/** A re-encoded screenshot. */
export type Screenshot = Picture & { id: string }

const FIELD_NAME = 'screenshots'
const MAX_SIZE = { width: SCREENSHOT_SIDE_MAX_PX, height: SCREENSHOT_SIDE_MAX_PX, type: 'image/webp' } as const

const createTooLargeRefusal = (message: string) =>
  new Refusal(413, 'too-large', message, { extra: { 'form-error': { [FIELD_NAME]: [message] } } })
const createFieldRefusal = (message: string) => createInputRefusal({ [FIELD_NAME]: [message] })

/**
 * Returns the files of a form, at most three, and refuses empty files and files over 5 MB. Skips the file without name and
 * bytes that browsers send for an empty file input.
 *
 * @throws Refusal 413, 422 naming the file
 */
export function readScreenshots(field: unknown): File[] {
  const values: unknown[] = field === undefined ? [] : Array.isArray(field) ? field : [field]
  const files = values.filter(
    (value) => value !== '' && !(value instanceof File && value.size === 0 && value.name === ''),
  )
  if (files.length > SCREENSHOTS_MAX) throw createFieldRefusal(SCREENSHOT_TEXTS.tooMany)
  return files.map((file) => {
    if (!(file instanceof File)) throw createFieldRefusal(SCREENSHOT_TEXTS.notAPicture(toPictureName(String(file))))
    if (file.size === 0) throw createFieldRefusal(SCREENSHOT_TEXTS.empty(toPictureName(file.name)))
    if (file.size > SCREENSHOT_MAX_BYTES)
      throw createTooLargeRefusal(SCREENSHOT_TEXTS.tooLarge(toPictureName(file.name)))
    return file
  })
}

/**
 * Re-encodes screenshots as WebP of at most 1920 pixels a side.
 *
 * @throws Refusal 422 naming the file, 503 when too many wait
 */
export async function encodeScreenshots(files: File[]): Promise<Screenshot[]> {
  const screenshots: Screenshot[] = []
  for (const file of files)
    for (const picture of await encodePicture(file, { field: FIELD_NAME, sizes: [MAX_SIZE] }))
      screenshots.push({ id: randomUUID(), ...picture })
  return screenshots
}
