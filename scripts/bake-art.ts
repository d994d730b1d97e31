/**
 * Makes the site's pictures from the drawings in `art/`, into `web/public/art/`: `node scripts/bake-art.ts`.
 *
 * The folder of a drawing says what becomes of it, and its name is what the pictures are called. A name that ends with
 * `-share` is what messengers show for a link. The output is not kept in git and is the same for the same drawings. A
 * drawing that cannot be read stops the command.
 */
import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { GALLERY, MOVIE, WALLPAPERS } from '#demo/media-sizes.ts'
import { ROOT } from './root.ts'

type Size = { readonly width: number; readonly height: number }

/** What a drawing of 48×48 units becomes, with the side of each. */
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

/** Writes the pictures that one drawing becomes. */
type Bake = (file: string, name: string) => Promise<void>

const OUTPUT = join(ROOT, 'web/public/art')

const BAKES: Readonly<Record<string, Bake>> = {
  pages: saveSvg,
  classes: saveSvg,
  boards: saveSvg,
  tournaments: saveSvg,
  items: async (file, name) => {
    await saveSvg(file, name)
    await save(`${name}-share.jpg`, jpeg(raster(file, 2.5), 70))
  },
  news: saveNews,
  icons: saveIcons,
  gallery: saveGallery,
  wallpapers: saveWallpapers,
  movies: async (file, name) => save(`${name}.webp`, webp(await draw(file, MOVIE))),
}

async function save(name: string, content: Sharp | Buffer): Promise<void> {
  await writeFile(join(OUTPUT, name), Buffer.isBuffer(content) ? content : await content.toBuffer())
}

/** The drawing as browsers get it, without comments and indentation. */
async function saveSvg(file: string, name: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  await save(`${name}.svg`, Buffer.from(text.replace(/<!--.*?-->/gs, '').replace(/>\s+</g, '><')))
}

async function saveNews(file: string, name: string): Promise<void> {
  await save(`${name}.webp`, await smallWebp(file, 2.5, 25_000))
  await save(`${name}-thumb.webp`, await smallWebp(file, 300 / 360, 8_000))
}

async function saveIcons(file: string, name: string): Promise<void> {
  if (name === 'share') await save('share.png', raster(file, 3).png({ palette: true, quality: 90 }))
  if (name === 'favicon') await saveSvg(file, name)
  for (const [icon, side] of ICONS[name] ?? []) await save(`${icon}.png`, raster(file, side / 48).png())
}

async function saveGallery(file: string, name: string): Promise<void> {
  for (const width of GALLERY.avif) {
    const drawn = await draw(file, { width, height: Math.round(width / GALLERY.ratio) })
    await save(`${name}-${width}.avif`, avif(drawn))
    if (!(GALLERY.webp as readonly number[]).includes(width)) continue
    await save(`${name}-${width}.webp`, webp(drawn))
    await save(`${name}-share.jpg`, drawn.clone().resize(1200, 630).jpeg({ quality: 66 }))
  }
}

async function saveWallpapers(file: string, name: string): Promise<void> {
  const shape = name.endsWith('wide') ? 'wide' : 'tall'
  const [{ width, height }] = WALLPAPERS[shape]
  for (const preview of WALLPAPERS[`${shape}Previews`]) {
    const drawn = await draw(file, { width: preview, height: Math.round((preview * height) / width) })
    await save(`${name}-${preview}.avif`, avif(drawn))
    await save(`${name}-${preview}.webp`, webp(drawn))
  }
  // Downloads keep every colour of every dot.
  for (const size of WALLPAPERS[shape])
    await save(
      `${name.replace(`-${shape}`, '')}-${size.width}x${size.height}.jpg`,
      (await draw(file, size)).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }),
    )
}

/** The drawing as pixels, `scale` of them to a unit. */
function raster(file: string, scale: number): Sharp {
  return sharp(file, { density: 72 * scale })
}

/** The drawing in exactly this many pixels, for several pictures. */
async function draw(file: string, { width, height }: Size): Promise<Sharp> {
  const units = (await sharp(file).metadata()).width
  const { data, info } = await onInk(raster(file, width / units))
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: info })
}

const onInk = (picture: Sharp) => picture.flatten({ background: '#0A0C13' })
const jpeg = (picture: Sharp, quality: number) => onInk(picture).jpeg({ quality })
const avif = (picture: Sharp) => picture.clone().avif({ quality: 47, effort: 1 })
const webp = (picture: Sharp) => picture.clone().webp({ quality: 68, effort: 2 })

/** The best WebP that fits into `limit` bytes, because lists of pictures are loaded over mobile data too. */
async function smallWebp(file: string, scale: number, limit: number): Promise<Buffer> {
  const pixels = await onInk(raster(file, scale)).png({ compressionLevel: 1 }).toBuffer()
  for (const quality of [60, 50, 42, 36, 30, 25]) {
    const picture = await sharp(pixels).webp({ quality, effort: 5 }).toBuffer()
    if (picture.length <= limit) return picture
  }
  throw new Error(`${file} does not fit into ${limit} bytes at any quality worth looking at`)
}

async function work(): Promise<void> {
  for (let drawing = drawings.shift(); drawing !== undefined; drawing = drawings.shift()) {
    const file = join(ROOT, drawing)
    const name = basename(file, '.svg')
    if (name.endsWith('-share')) await save(`${name}.jpg`, jpeg(raster(file, 3), 72))
    else await BAKES[basename(dirname(file))]?.(file, name)
  }
}

await rm(OUTPUT, { recursive: true, force: true })
await mkdir(OUTPUT, { recursive: true })
const drawings = globSync('art/*/*.svg', { cwd: ROOT }).sort()
await Promise.all([work(), work(), work()])
