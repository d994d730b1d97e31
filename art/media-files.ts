import sharp from 'sharp'
import {
  GALLERY,
  galleryFile,
  gallerySharePicture,
  MOVIE,
  moviePoster,
  WALLPAPERS,
  wallpaperFile,
  wallpaperPreview,
} from '#server/demo/content/media-sizes.ts'
import { rainyCoop } from './coop.ts'
import { blackout, moonArcher, skyBridge, tankRoof } from './gallery-roofs.ts'
import { emptyCourt, firstLantern, practice } from './gallery-rooms.ts'
import { firstTrip, marketNight, oneUmbrella } from './gallery-streets.ts'
import { lastTrip } from './jeepney.ts'
import { films } from './movies.ts'
import { parolNight } from './parol.ts'
import { type Frame, poster, type Scene } from './poster.ts'
import { court, rooftop } from './posters.ts'
import { wallpapers } from './wallpapers.ts'

type File = readonly [name: string, content: Buffer]
type Pixels = { data: Buffer; info: { width: number; height: number; channels: 3 } }
type Box = { width: number; height: number }

/** The gallery's and the wallpapers' files and the movies' posters, drawn and encoded a few at a time. */
export async function mediaFiles(): Promise<File[]> {
  const jobs = [
    ...galleryPictures().map((text, i) => () => galleryFiles(text, i + 1)),
    ...wallpapers().flatMap(({ wide, tall }, i) => [
      () => wallpaperFiles(wide, i + 1, 'wide'),
      () => wallpaperFiles(tall, i + 1, 'tall'),
    ]),
    ...films.map(
      ({ slug, frame, posterAt }) =>
        async (): Promise<File[]> => [[moviePoster(slug), await webp(await draw(frame(posterAt), MOVIE))]],
    ),
  ]
  const files: File[] = []
  const worker = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) files.push(...(await job()))
  }
  await Promise.all([worker(), worker(), worker()])
  return files
}

async function galleryFiles(text: string, number: number): Promise<File[]> {
  const files: File[] = []
  for (const width of GALLERY.avif) {
    const pixels = await draw(text, { width, height: Math.round(width / GALLERY.ratio) })
    files.push([galleryFile(number, width, 'avif'), await avif(pixels)])
    if ((GALLERY.webp as readonly number[]).includes(width)) {
      files.push([galleryFile(number, width, 'webp'), await webp(pixels)])
    }
    if (width === GALLERY.avif.at(-1)) files.push([gallerySharePicture(number), await shareJpeg(pixels)])
  }
  return files
}

async function wallpaperFiles(text: string, number: number, shape: 'wide' | 'tall'): Promise<File[]> {
  const files: File[] = []
  const ratio = WALLPAPERS[shape][0].width / WALLPAPERS[shape][0].height
  for (const box of WALLPAPERS[shape]) files.push([wallpaperFile(number, box), await jpeg(await draw(text, box))])
  for (const width of WALLPAPERS[`${shape}Previews`]) {
    const pixels = await draw(text, { width, height: Math.round(width / ratio) })
    files.push([wallpaperPreview(number, shape, width, 'avif'), await avif(pixels)])
    files.push([wallpaperPreview(number, shape, width, 'webp'), await webp(pixels)])
  }
  return files
}

/** The drawing in exactly this many pixels. */
async function draw(text: string, { width, height }: Box): Promise<Pixels> {
  const [, units = '1'] = /width="([\d.]+)"/.exec(text) ?? []
  const { data, info } = await sharp(Buffer.from(text), { density: (72 * width) / Number(units) })
    .flatten({ background: '#0A0C13' })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, info: { width: info.width, height: info.height, channels: 3 } }
}

const read = ({ data, info }: Pixels) => sharp(data, { raw: info })
const avif = (pixels: Pixels) => read(pixels).avif({ quality: 47, effort: 1 }).toBuffer()
const webp = (pixels: Pixels) => read(pixels).webp({ quality: 68, effort: 2 }).toBuffer()
/** Downloads keep every colour of every dot. */
const jpeg = (pixels: Pixels) => read(pixels).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()
const shareJpeg = (pixels: Pixels) => read(pixels).resize(1200, 630).jpeg({ quality: 66 }).toBuffer()

/** A gallery picture is 360×240 units. */
const galleryFrame: Frame = { width: 360, height: 240, cx: 180, ground: 206, words: false, pitch: 12, dots: 0.7 }

const scenes: readonly ((frame: Frame) => Scene)[] = [
  rooftop,
  oneUmbrella,
  court,
  firstTrip,
  firstLantern,
  tankRoof,
  emptyCourt,
  rainyCoop,
  moonArcher,
  parolNight,
  practice,
  skyBridge,
  marketNight,
  lastTrip,
  blackout,
]

/** The gallery's pictures as SVG texts, by number from 1. */
export function galleryPictures(): string[] {
  return scenes.map((draw) => poster(galleryFrame, draw(galleryFrame)))
}
