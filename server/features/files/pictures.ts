import type sharpModule from 'sharp'
import type { Sharp } from 'sharp'
import { type Crop, PICTURE_TEXTS, type PictureSize, SVG_MAX_BYTES } from '#contract/files.ts'
import { SCREENSHOT_PIXELS_MAX } from '#contract/limits.ts'
import { SCREENSHOT_TEXTS } from '#contract/tickets.ts'
import { createQueue } from '#server/concurrency.ts'
import { createInputRefusal, Refusal } from '#server/errors.ts'

/** An encoded picture with its size in pixels. */
export type Picture = { width: number; height: number; type: PictureSize['type']; content: Buffer }

/** The options of an encoding, which never enlarges a picture. */
export type EncodeOptions = {
  /** The field of the form that a refusal names. */
  field: string
  sizes: readonly PictureSize[]
  /** Whether the picture is cropped to the shape of each size, instead of fitted into it. */
  cut?: boolean | undefined
  /** The part of the picture to use, by default all of it. */
  crop?: Crop | undefined
  /** Whether SVG drawings are accepted, too. */
  svg?: boolean | undefined
}

const ENCODING_MAX_SECONDS = 10

/**
 * Encodes one picture at a time, to limit the memory. The queue of sharp runs one picture per thread and has no limit.
 */
const runQueued = createQueue({
  concurrency: 1,
  maxWaiting: 24,
  createFullError: () => new Refusal(503, 'uploads-busy', SCREENSHOT_TEXTS.busy, { retryAfterSeconds: 10 }),
})

/**
 * Encodes an uploaded picture again in each requested size: the first frame only, upright, without metadata. Detects the
 * type from the bytes, not from the name. Omits sizes that are larger than the picture, except the first.
 *
 * @throws Refusal 422 with the file's name, 503 when too many pictures wait
 */
export function encodePicture(file: File, options: EncodeOptions): Promise<Picture[]> {
  return runQueued(() => encode(file, options))
}

async function encode(file: File, { field, sizes, cut = false, crop, svg = false }: EncodeOptions): Promise<Picture[]> {
  const name = toPictureName(file.name)
  const refuse = (message: string) => createInputRefusal({ [field]: [message] })
  const upload = Buffer.from(await file.arrayBuffer())
  const sharp = await loadSharp()
  const source = svg && isSvg(upload) ? await drawSvg(sharp, upload, sizes[0]) : upload
  if (source === null) throw refuse(PICTURE_TEXTS.svg(name))
  if (!isPicture(source)) throw refuse(SCREENSHOT_TEXTS.notAPicture(name))
  const bytes = source
  const openPicture = () =>
    sharp(bytes, { failOn: 'error', limitInputPixels: SCREENSHOT_PIXELS_MAX, sequentialRead: true }).autoOrient()
  try {
    const { autoOrient: fullSize } = await openPicture().metadata()
    if (fullSize.width * fullSize.height > SCREENSHOT_PIXELS_MAX) throw refuse(SCREENSHOT_TEXTS.tooManyPixels(name))
    const cropBox = computeCrop(fullSize, crop)
    const [largest] = sizes
    const pictures: Picture[] = []
    for (const size of sizes) {
      if (size !== largest && (size.width > cropBox.width || size.height > cropBox.height)) continue
      const { width, height } = cut ? shrinkToBox(size, cropBox) : size
      const resized = openPicture()
        .extract(cropBox)
        .resize({ width, height, fit: cut ? 'cover' : 'inside', withoutEnlargement: true })
      const { data, info } = await ENCODERS[size.type](resized)
        .timeout({ seconds: ENCODING_MAX_SECONDS })
        .toBuffer({ resolveWithObject: true })
      pictures.push({ width: info.width, height: info.height, type: size.type, content: data })
    }
    return pictures
  } catch (error) {
    if (error instanceof Refusal) throw error
    const isTooLarge = /pixel limit/i.test((error as Error).message)
    throw refuse(isTooLarge ? SCREENSHOT_TEXTS.tooManyPixels(name) : SCREENSHOT_TEXTS.broken(name))
  }
}

const ENCODERS: Record<PictureSize['type'], (image: Sharp) => Sharp> = {
  'image/webp': (image) => image.webp({ quality: 82, effort: 3, smartSubsample: true }),
  'image/jpeg': (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 84, mozjpeg: true }),
  'image/png': (image) => image.png({ compressionLevel: 9, palette: true, quality: 90 }),
}

/** Returns whether a file is text that begins as an SVG drawing does. */
const isSvg = (bytes: Buffer) =>
  /^\uFEFF?\s*(<\?xml[^>]{0,200}\?>\s*)?(<!--[\s\S]{0,2000}?-->\s*)*<svg[\s>]/.test(bytes.toString('utf8', 0, 4000))

/** The forbidden parts of a drawing: entities, scripts, external content, and filters, which can take minutes. */
const FORBIDDEN_IN_SVG =
  /<!(?:DOCTYPE|ENTITY)|<\?xml-stylesheet|<\s*(?:\w+:)?(?:script|foreignObject|iframe|image|feImage|filter|include|handler|set|animate\w*)\b|@import|(?:href|src)\s*=\s*["']?\s*[^"'#\s]|url\(\s*["']?\s*[^"'#\s)]/i

/**
 * Renders an SVG drawing in the size of its use (LOOK-17).
 *
 * @returns PNG; null for a drawing that is too large, has forbidden parts or takes too long
 */
async function drawSvg(
  sharp: typeof sharpModule,
  bytes: Buffer,
  size: PictureSize | undefined,
): Promise<Buffer | null> {
  const text = bytes.toString('utf8')
  if (bytes.length > SVG_MAX_BYTES || FORBIDDEN_IN_SVG.test(text) || size === undefined) return null
  try {
    const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: SCREENSHOT_PIXELS_MAX }).metadata()
    const density = Math.min(2400, Math.max(1, 72 * Math.max(size.width / width, size.height / height)))
    return await sharp(bytes, { density, limitInputPixels: SCREENSHOT_PIXELS_MAX })
      .resize({ width: size.width * 2, height: size.height * 2, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: ENCODING_MAX_SECONDS })
      .png({ compressionLevel: 3 })
      .toBuffer()
  } catch {
    return null
  }
}

type Box = { width: number; height: number }

/** Returns the chosen part in whole pixels. */
function computeCrop(fullSize: Box, crop: Crop = { left: 0, top: 0, width: 1, height: 1 }) {
  const left = Math.min(Math.round(crop.left * fullSize.width), fullSize.width - 1)
  const top = Math.min(Math.round(crop.top * fullSize.height), fullSize.height - 1)
  return {
    left,
    top,
    width: Math.max(1, Math.min(Math.round(crop.width * fullSize.width), fullSize.width - left)),
    height: Math.max(1, Math.min(Math.round(crop.height * fullSize.height), fullSize.height - top)),
  }
}

/** Shrinks a size, in its shape, until the part fills it without being enlarged. */
function shrinkToBox(size: Box, cropBox: Box): Box {
  const scale = Math.min(1, cropBox.width / size.width, cropBox.height / size.height)
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
}

/** Returns whether the first bytes are those of PNG, JPEG or WebP. Other formats, except SVG, never reach the library. */
function isPicture(bytes: Buffer): boolean {
  const startsWith = (text: string, at = 0) => bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))
  return startsWith('\x89PNG\r\n\x1a\n') || startsWith('\xff\xd8\xff') || (startsWith('RIFF') && startsWith('WEBP', 8))
}

/** Returns a file's name for use in a sentence. */
export function toPictureName(name: string): string {
  return name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, 60) || 'Picture'
}

/** Loads the library at the first use, because it needs as much memory as the rest of the site. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
