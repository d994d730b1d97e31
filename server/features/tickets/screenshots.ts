import { randomUUID } from 'node:crypto'
import {
  SCREENSHOT_MAX_BYTES,
  SCREENSHOT_PIXELS_MAX,
  SCREENSHOT_SIDE_MAX_PX,
  SCREENSHOTS_MAX,
} from '#contract/limits.ts'
import { SCREENSHOT } from '#contract/ticket-messages.ts'
import { createQueue } from '#server/concurrency.ts'
import { fieldRefusal, Refusal } from '#server/errors.ts'

/** A screenshot as we re-encoded it. */
export type Picture = { id: string; width: number; height: number; content: Buffer }

const WORKING_MAX_SECONDS = 10

/**
 * Encodes one picture at a time, to bound memory: sharp's own queue starts one per thread of the
 * pool and has no limit.
 */
const runQueued = createQueue({
  concurrency: 1,
  maxWaiting: 24,
  createFullError: () => new Refusal(503, 'uploads-busy', SCREENSHOT.busy, { retryAfterSeconds: 10 }),
})

const tooLargeFile = (message: string) =>
  new Refusal(413, 'too-large', message, { extra: { 'form-error': { screenshots: [message] } } })
const refuse = (message: string) => fieldRefusal({ screenshots: [message] })

/**
 * The files of a form, checked: at most three, none empty, none over 5 MB. Browsers send an empty file input as one
 * file without name and bytes, which is skipped.
 *
 * @throws Refusal 413, 422 naming the file
 */
export function readScreenshots(field: unknown): File[] {
  const given: unknown[] = field === undefined ? [] : Array.isArray(field) ? field : [field]
  const some = given.filter((one) => one !== '' && !(one instanceof File && one.size === 0 && one.name === ''))
  if (some.length > SCREENSHOTS_MAX) throw refuse(SCREENSHOT.tooMany)
  return some.map((file) => {
    if (!(file instanceof File)) throw refuse(SCREENSHOT.notAPicture(nameOf(String(file))))
    if (file.size === 0) throw refuse(SCREENSHOT.empty(nameOf(file.name)))
    if (file.size > SCREENSHOT_MAX_BYTES) throw tooLargeFile(SCREENSHOT.tooLarge(nameOf(file.name)))
    return file
  })
}

/**
 * Re-encodes screenshots as WebP of at most 1920 pixels a side: the first frame only, without metadata. Their type is
 * read from their bytes, not from their names.
 *
 * @throws Refusal 422 naming the file, 503 when too many wait
 */
export async function encodeScreenshots(files: File[]): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const file of files) pictures.push(await runQueued(() => encode(file)))
  return pictures
}

async function encode(file: File): Promise<Picture> {
  const name = nameOf(file.name)
  const bytes = Buffer.from(await file.arrayBuffer())
  if (!isPicture(bytes)) throw refuse(SCREENSHOT.notAPicture(name))
  const sharp = await loadSharp()
  const open = () => sharp(bytes, { failOn: 'error', limitInputPixels: SCREENSHOT_PIXELS_MAX, sequentialRead: true })
  try {
    const { width, height } = await open().metadata()
    if (width * height > SCREENSHOT_PIXELS_MAX) throw refuse(SCREENSHOT.tooManyPixels(name))
    const side = SCREENSHOT_SIDE_MAX_PX
    const { data, info } = await open()
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: 3, smartSubsample: true })
      .timeout({ seconds: WORKING_MAX_SECONDS })
      .toBuffer({ resolveWithObject: true })
    return { id: randomUUID(), width: info.width, height: info.height, content: data }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const isHuge = /pixel limit/i.test((error as Error).message)
    throw refuse(isHuge ? SCREENSHOT.tooManyPixels(name) : SCREENSHOT.broken(name))
  }
}

/** The first bytes of PNG, JPEG and WebP; no other reader of the library is ever reached. */
function isPicture(bytes: Buffer): boolean {
  const starts = (text: string, at = 0) => bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))
  return starts('\x89PNG\r\n\x1a\n') || starts('\xff\xd8\xff') || (starts('RIFF') && starts('WEBP', 8))
}

/** A file's name as it may stand in a sentence. */
function nameOf(name: string): string {
  return name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, 60) || 'Screenshot'
}

/** Loaded with the first screenshot: the library weighs as much as the rest of the site. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
