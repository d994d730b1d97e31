/**
 * `node scripts/bake-art.ts` creates the site's pictures in `web/public/art/` from the drawings in `art/`.
 *
 * The folder of a drawing determines its output formats, and its name the names of the pictures. Messengers show
 * pictures whose names end with `-share` for links. Git ignores the output, which depends only on the drawings. An
 * unreadable drawing stops the command.
 */
import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { GALLERY, MOVIE, WALLPAPERS } from '#demo/media-sizes.ts'
import { ROOT } from './root.ts'

type Size = { readonly width: number; readonly height: number }

/** The pictures of each drawing of 48×48 units, with the length of their sides in pixels. */
const ICONS: Readonly<Record<string, readonly (readonly [icon: string, side: number])[]>> = {
  favicon: [['favicon-32', 32]],
  icon: [
    ['apple-touch-icon', 180],
    ['icon-192', 192],
    ['icon-512', 512],
  ],
  'icon-maskable': [
    ['icon-maskable-192', 192],
    ['icon-maskable-512', 512],
  ],
}

/** Draws one picture. */
type DrawPicture = () => Promise<Sharp | Buffer> | Sharp | Buffer
/** The pictures of a drawing by file name. Each is drawn only when its function is called. */
type Pictures = Record<string, DrawPicture>

const OUTPUT = join(ROOT, 'web/public/art')
const DRAFTS = join(ROOT, '.cache/pictures')

const PICTURES: Readonly<Record<string, (file: string, name: string) => Pictures>> = {
  pages: listSvg,
  classes: listSvg,
  boards: listSvg,
  tournaments: listSvg,
  items: (file, name) => ({
    ...listSvg(file, name),
    [`${name}-share.jpg`]: () => createJpeg(rasterize(file, 2.5), 70),
  }),
  news: (file, name) => ({ [`${name}.webp`]: () => createSmallWebp(file, 2.5, 25_000) }),
  icons: listIcons,
  gallery: listGallery,
  wallpapers: listWallpapers,
  movies: (file, name) => ({ [`${name}.webp`]: async () => createWebp(await renderDrawing(file, MOVIE)) }),
}

/** Lists the pictures of a drawing, which is a path such as `art/items/ring.svg`. */
function listPictures(drawing: string): Pictures {
  const file = join(ROOT, drawing)
  const name = basename(file, '.svg')
  if (name.endsWith('-share')) return { [`${name}.jpg`]: () => createJpeg(rasterize(file, 3), 72) }
  return PICTURES[basename(dirname(file))]?.(file, name) ?? {}
}

/**
 * Writes a picture in one step, because visitors may request it at the same time. Deletes compressed copies of the
 * previous one.
 */
async function savePicture(name: string, draw: DrawPicture): Promise<void> {
  const picture = await draw()
  const file = join(OUTPUT, name)
  await mkdir(DRAFTS, { recursive: true })
  const draft = join(DRAFTS, randomUUID())
  await writeFile(draft, Buffer.isBuffer(picture) ? picture : await picture.toBuffer())
  for (const copy of ['br', 'gz']) await rm(`${file}.${copy}`, { force: true })
  await rename(draft, file)
}

/** Lists the drawing itself as a picture, without comments and indentation. */
function listSvg(file: string, name: string): Pictures {
  return {
    [`${name}.svg`]: async () => {
      const text = await readFile(file, 'utf8')
      return Buffer.from(text.replace(/<!--.*?-->/gs, '').replace(/>\s+</g, '><'))
    },
  }
}

function listIcons(file: string, name: string): Pictures {
  if (name === 'share')
    return {
      'share.png': () => rasterize(file, 3).png({ palette: true, quality: 90 }),
      'share.jpg': () => createJpeg(rasterize(file, 3), 80),
    }
  const icons = (ICONS[name] ?? []).map(([icon, side]): [string, DrawPicture] => [
    `${icon}.png`,
    () => rasterize(file, side / 48).png(),
  ])
  return { ...(name === 'favicon' && listSvg(file, name)), ...Object.fromEntries(icons) }
}

function listGallery(file: string, name: string): Pictures {
  const width = Math.max(...GALLERY.avif)
  const drawOnce = memoize(() => renderDrawing(file, { width, height: Math.round(width / GALLERY.ratio) }))
  const pictures: Pictures = {
    [`${name}-share.jpg`]: async () => (await drawOnce()).clone().resize(1200, 630).jpeg({ quality: 66 }),
  }
  for (const size of GALLERY.avif) pictures[`${name}-${size}.avif`] = async () => createAvif(await drawOnce(), size)
  for (const size of GALLERY.webp) pictures[`${name}-${size}.webp`] = async () => createWebp(await drawOnce())
  return pictures
}

function listWallpapers(file: string, name: string): Pictures {
  const pictures: Pictures = {}
  const shape = name.endsWith('wide') ? 'wide' : 'tall'
  const [largestSize] = WALLPAPERS[shape].toSorted((a, b) => b.width - a.width)
  if (largestSize === undefined) return pictures
  const drawOnce = memoize(() => renderDrawing(file, largestSize))
  for (const preview of WALLPAPERS[`${shape}Previews`]) {
    pictures[`${name}-${preview}.avif`] = async () => createAvif(await drawOnce(), preview)
    pictures[`${name}-${preview}.webp`] = async () => createWebp((await drawOnce()).clone().resize(preview))
  }
  // Downloads keep every color of the halftone.
  for (const { width, height } of WALLPAPERS[shape])
    pictures[`${name.replace(`-${shape}`, '')}-${width}x${height}.jpg`] = async () =>
      (await drawOnce()).clone().resize(width, height).jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
  return pictures
}

/** Returns a function that runs `create` only once, so pictures of one size share the pixels. */
function memoize<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined
  return () => (result ??= create())
}

/** Renders the drawing with `factor` pixels per unit. */
function rasterize(file: string, factor: number): Sharp {
  return sharp(file, { density: 72 * factor })
}

/** Renders the drawing in exactly this many pixels, for several pictures. */
async function renderDrawing(file: string, { width, height }: Size): Promise<Sharp> {
  const units = (await sharp(file).metadata()).width
  const { data, info } = await placeOnInk(rasterize(file, width / units))
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: info })
}

const placeOnInk = (picture: Sharp) => picture.flatten({ background: '#0A0C13' })
const createJpeg = (picture: Sharp, quality: number) => placeOnInk(picture).jpeg({ quality })
/** The next effort level takes four times as long for files that are a sixth smaller. */
const createAvif = (picture: Sharp, width: number) => picture.clone().resize(width).avif({ quality: 47, effort: 0 })
const createWebp = (picture: Sharp) => picture.clone().webp({ quality: 68, effort: 2 })

/** Returns the best WebP within `limit` bytes. Lists load many pictures over mobile data. */
async function createSmallWebp(file: string, factor: number, limit: number): Promise<Buffer> {
  const pixels = await placeOnInk(rasterize(file, factor)).png({ compressionLevel: 1 }).toBuffer()
  for (const quality of [42, 36, 30, 25]) {
    const picture = await sharp(pixels).webp({ quality, effort: 4 }).toBuffer()
    if (picture.length <= limit) return picture
  }
  throw new Error(`${file} does not fit into ${limit} bytes at quality 25 or more`)
}

const findDrawings = () => globSync('art/*/*.svg', { cwd: ROOT }).sort()

const readModifiedAt = async (file: string) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0

/**
 * The output depends on these files and on every drawing of a folder, because drawings can include others of their
 * folder.
 */
const GENERATOR_FILES = ['scripts/bake-art.ts', 'demo/media-sizes.ts'].map((path) => join(ROOT, path))

async function findNewestSource(drawing: string): Promise<number> {
  const folder = join(ROOT, dirname(drawing))
  const drawings = (await readdir(folder)).map((file) => join(folder, file))
  return Math.max(...(await Promise.all([...GENERATOR_FILES, ...drawings].map(readModifiedAt))))
}

/** Draws the missing and outdated pictures, and deletes those without a drawing. */
async function drawAll(): Promise<void> {
  await mkdir(OUTPUT, { recursive: true })
  const drawings = findDrawings()
  const names = new Set<string>()
  const work = async () => {
    for (let drawing = drawings.shift(); drawing !== undefined; drawing = drawings.shift()) {
      const newestSource = await findNewestSource(drawing)
      for (const [name, draw] of Object.entries(listPictures(drawing))) {
        names.add(name)
        if ((await readModifiedAt(join(OUTPUT, name))) <= newestSource) await savePicture(name, draw)
      }
    }
  }
  await Promise.all([work(), work(), work()])
  for (const file of await readdir(OUTPUT))
    if (!names.has(file.replace(/\.(br|gz)$/, ''))) await rm(join(OUTPUT, file), { force: true })
}

const runningDrawings = new Map<string, Promise<boolean>>()

/**
 * Draws a picture of `web/public/art/` unless it is up to date. Concurrent calls share the work.
 *
 * @returns whether the picture exists
 */
export function ensurePicture(name: string): Promise<boolean> {
  const drawingPromise = runningDrawings.get(name) ?? drawIfStale(name).finally(() => runningDrawings.delete(name))
  runningDrawings.set(name, drawingPromise)
  return drawingPromise
}

/** The minimum time between two listings, so requests for unknown names do not read the folder each time. */
const LIST_EVERY_MS = 1000
let listedAtMs = Number.NEGATIVE_INFINITY
let listedPictures = new Map<string, { drawing: string; draw: DrawPicture }>()

function findPicture(name: string) {
  if (performance.now() - listedAtMs > LIST_EVERY_MS) {
    const drawings = findDrawings().map((drawing) => ({ drawing, pictures: listPictures(drawing) }))
    listedPictures = new Map(
      drawings.flatMap(({ drawing, pictures }) =>
        Object.entries(pictures).map(([picture, draw]) => [picture, { drawing, draw }] as const),
      ),
    )
    listedAtMs = performance.now()
  }
  return listedPictures.get(name)
}

async function drawIfStale(name: string): Promise<boolean> {
  const picture = findPicture(name)
  if (picture === undefined) return false
  if ((await readModifiedAt(join(OUTPUT, name))) > (await findNewestSource(picture.drawing))) return true
  await mkdir(OUTPUT, { recursive: true })
  await savePicture(name, picture.draw)
  return true
}

if (import.meta.main) await drawAll()
