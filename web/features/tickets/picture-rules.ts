import { SCREENSHOT_MAX_BYTES, SCREENSHOTS_MAX } from '#contract/limits.ts'
import { SCREENSHOT_TEXTS } from '#contract/tickets.ts'

/** The types that the server accepts. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

type FileFacts = Pick<File, 'name' | 'type' | 'size' | 'lastModified'>

const isSameFile = (a: FileFacts, b: FileFacts) =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified

/** Returns the error that a file's name, type and size show; undefined if they are valid. */
function checkPicture({ name, type, size }: FileFacts): string | undefined {
  if (!PICTURE_TYPES.includes(type)) return SCREENSHOT_TEXTS.notAPicture(name)
  if (size === 0) return SCREENSHOT_TEXTS.empty(name)
  return size > SCREENSHOT_MAX_BYTES ? SCREENSHOT_TEXTS.tooLarge(name) : undefined
}

/**
 * Adds files to the chosen ones, which are never removed. Ignores duplicates.
 *
 * @returns the files, and the refusals: one for each invalid file, by name, and one for all files above the limit
 */
export function addPictures<Picture extends FileFacts>(
  chosenPictures: readonly Picture[],
  newFiles: readonly Picture[],
) {
  const refusals: string[] = []
  const pictures = [...chosenPictures]
  for (const file of newFiles) {
    const problem = checkPicture(file)
    if (problem !== undefined) refusals.push(problem)
    else if (pictures.some((picture) => isSameFile(picture, file))) continue
    else if (pictures.length < SCREENSHOTS_MAX) pictures.push(file)
    else if (!refusals.includes(SCREENSHOT_TEXTS.tooMany)) refusals.push(SCREENSHOT_TEXTS.tooMany)
  }
  return { pictures, refusals }
}

/** Formats a file's size, '820 kB' or '1.4 MB', in steps of 1024 like the limit of 5 MB. */
export function formatSize(bytes: number): string {
  const kilobytes = bytes / 1024
  return kilobytes < 1000 ? `${Math.max(1, Math.round(kilobytes))} kB` : `${(kilobytes / 1024).toFixed(1)} MB`
}
