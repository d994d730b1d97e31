import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { THEME_FILE_MAX_BYTES, THEME_FILE_TEXTS } from '#contract/desk-theme.ts'
import { PICTURE_USES } from '#contract/files.ts'
import {
  THEME_SLOT_NAMES,
  THEME_SLOTS,
  type Theme,
  type ThemePictures,
  type ThemeSlot,
  themeFileSchema,
} from '#contract/theme.ts'
import type { Db } from '#server/db/open.ts'
import { createInputRefusal } from '#server/errors.ts'
import { encodePicture, type Picture } from '../files/pictures.ts'
import { findFileHash, selectFile, storePictures } from '../files/store.ts'

const JSON_NAME = 'look.json'
const FILE_EXTENSIONS: Record<string, string> = { 'image/webp': 'webp', 'image/jpeg': 'jpg', 'image/png': 'png' }
/** The themes that the site ships with. Each folder has the content of an exported file. */
const SHIPPED_THEMES_FOLDER = join(import.meta.dirname, '../../../demo/looks')

/** A theme from a file, with re-encoded pictures that are not stored yet. */
export type ParsedTheme = { title: string; colors: Theme['colors']; pictures: { slot: ThemeSlot; sizes: Picture[] }[] }

/** The names and contents of a theme's files. */
type ThemeFiles = Readonly<Record<string, Uint8Array>>

const createFieldRefusal = (message: string) => createInputRefusal({ look: [message] })

/**
 * Unpacks the top level of a theme's zip file, up to 10 MB. Skips names with a path, so no file can be written outside of the
 * folder.
 *
 * @throws Refusal 422 for a file that is not a zip file, or is larger when unpacked
 */
function unpack(zip: Uint8Array): ThemeFiles {
  let remainingBytes = THEME_FILE_MAX_BYTES
  const tooLargeError = new Error(THEME_FILE_TEXTS.tooLarge)
  try {
    // A zip file can state wrong sizes. fflate unpacks into exactly as many bytes as stated, and fails if there are more.
    return unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (!/^[a-z0-9][a-z0-9_.-]*$/.test(name)) return false
        remainingBytes -= originalSize
        if (remainingBytes < 0) throw tooLargeError
        return true
      },
    })
  } catch (error) {
    throw createFieldRefusal(error === tooLargeError ? THEME_FILE_TEXTS.tooLarge : THEME_FILE_TEXTS.notAZip)
  }
}

/** Reads an uploaded theme file. @throws Refusal 422 with a message */
export async function readThemeFile(file: File): Promise<ParsedTheme> {
  return readTheme(unpack(new Uint8Array(await file.arrayBuffer())))
}

/** Reads a theme that the site ships with. Returns undefined for an unknown name. */
export async function readShippedTheme(name: string): Promise<ParsedTheme | undefined> {
  const folder = join(SHIPPED_THEMES_FOLDER, name)
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return undefined
  return readTheme(
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))]))),
  )
}

/** Lists the themes that the site ships with. */
export async function listShippedThemes(): Promise<{ name: string; title: string }[]> {
  const names = (await readdir(SHIPPED_THEMES_FOLDER)).sort()
  return Promise.all(
    names.map(async (name) => ({
      name,
      title: themeFileSchema.parse(JSON.parse(await readFile(join(SHIPPED_THEMES_FOLDER, name, JSON_NAME), 'utf8')))
        .title,
    })),
  )
}

/** Reads look.json and its pictures, each like a single uploaded picture. @throws Refusal 422 with a message */
async function readTheme(files: ThemeFiles): Promise<ParsedTheme> {
  const { title, colors, pictures } = readDescription(files[JSON_NAME])
  const parsedPictures: ParsedTheme['pictures'] = []
  for (const slot of THEME_SLOT_NAMES) {
    const name = pictures[slot]
    if (name === undefined) continue
    const bytes = Object.hasOwn(files, name) ? files[name] : undefined
    if (bytes === undefined) throw createFieldRefusal(THEME_FILE_TEXTS.missing(name))
    const picture = new File([new Uint8Array(bytes)], name)
    const sizes = await encodePicture(picture, { field: 'look', ...PICTURE_USES[THEME_SLOTS[slot].use] })
    parsedPictures.push({ slot, sizes })
  }
  return { title, colors, pictures: parsedPictures }
}

function readDescription(bytes: Uint8Array | undefined) {
  if (bytes === undefined) throw createFieldRefusal(THEME_FILE_TEXTS.jsonMissing)
  let json: unknown
  try {
    json = JSON.parse(strFromU8(bytes))
  } catch {
    throw createFieldRefusal(THEME_FILE_TEXTS.badJson)
  }
  const parsed = themeFileSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const issuePath = issue?.path.length ? ` (${issue.path.join(' ')})` : ''
  throw createFieldRefusal(
    `${THEME_FILE_TEXTS.badJson.slice(0, -1)}${issuePath}. ${issue?.message.replace(/([^.])$/, '$1.')}`,
  )
}

/**
 * Stores the pictures of a parsed theme. Retains the present pictures that identify the site in slots without a new picture.
 */
export async function storeTheme(
  tx: Db,
  { title, colors, pictures }: ParsedTheme,
  presentTheme: Theme,
  now: Date,
): Promise<Theme> {
  const retainedSlots = THEME_SLOT_NAMES.filter(
    (slot) => 'identifiesSite' in THEME_SLOTS[slot] && presentTheme.pictures[slot] !== undefined,
  )
  const storedPictures: ThemePictures = Object.fromEntries(
    retainedSlots.map((slot) => [slot, presentTheme.pictures[slot]]),
  )
  for (const { slot, sizes } of pictures) {
    const files = await storePictures(tx, sizes, 'site', now)
    storedPictures[slot] = files.map(({ url }) => url)
  }
  return { title, colors, pictures: storedPictures }
}

/** Packs a theme into a zip file with look.json and the largest size of each picture. */
export async function packTheme(db: Db, { title, colors, pictures }: Theme): Promise<File> {
  const files: Record<string, Uint8Array> = {}
  const names: Partial<Record<ThemeSlot, string>> = {}
  for (const slot of THEME_SLOT_NAMES) {
    const file = await selectFile(db, findFileHash(pictures[slot]?.[0] ?? '') ?? '')
    if (file === undefined) continue
    const name = `${slot}.${FILE_EXTENSIONS[file.type]}`
    names[slot] = name
    files[name] = file.content
  }
  files[JSON_NAME] = strToU8(`${JSON.stringify({ format: 1, title, colors, pictures: names }, null, 2)}\n`)
  const fileName =
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'look'
  // Pictures are compressed already. The fixed time makes the file of an unchanged theme identical.
  const zip = zipSync(files, { level: 0, mtime: new Date('2000-01-01T00:00:00') })
  return new File([new Uint8Array(zip)], `${fileName}.zip`, { type: 'application/zip' })
}
