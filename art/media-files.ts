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

type Picture = readonly [name: string, draw: () => Promise<Buffer>]
type Pixels = { data: Buffer; info: { width: number; height: number; channels: 3 } }
type Box = { width: number; height: number }

/** The gallery's and the wallpapers' files and the movies' posters, each drawn when it is asked for. */
export function mediaPictures(): Picture[] {
  return [
    ...galleryPictures().flatMap((text, i) => galleryFiles(text, i + 1)),
    ...wallpapers().flatMap(({ wide, tall }, i) => [
      ...wallpaperFiles(wide, i + 1, 'wide'),
      ...wallpaperFiles(tall, i + 1, 'tall'),
    ]),
    ...films.map(
      ({ slug, frame, posterAt }): Picture => [moviePoster(slug), async () => webp(await draw(frame(posterAt), MOVIE))],
    ),
  ]
}

function galleryFiles(text: string, number: number): Picture[] {
  return GALLERY.avif.flatMap((width) => {
    const pixels = drawOnce(text, { width, height: Math.round(width / GALLERY.ratio) })
    const files: Picture[] = [[galleryFile(number, width, 'avif'), async () => avif(await pixels())]]
    if ((GALLERY.webp as readonly number[]).includes(width))
      files.push([galleryFile(number, width, 'webp'), async () => webp(await pixels())])
    if (width === GALLERY.avif.at(-1)) files.push([gallerySharePicture(number), async () => shareJpeg(await pixels())])
    return files
  })
}

function wallpaperFiles(text: string, number: number, shape: 'wide' | 'tall'): Picture[] {
  const ratio = WALLPAPERS[shape][0].width / WALLPAPERS[shape][0].height
  return [
    ...WALLPAPERS[`${shape}Previews`].flatMap((width): Picture[] => {
      const pixels = drawOnce(text, { width, height: Math.round(width / ratio) })
      return [
        [wallpaperPreview(number, shape, width, 'avif'), async () => avif(await pixels())],
        [wallpaperPreview(number, shape, width, 'webp'), async () => webp(await pixels())],
      ]
    }),
    ...WALLPAPERS[shape].map((box): Picture => [wallpaperFile(number, box), async () => jpeg(await draw(text, box))]),
  ]
}

/** Draws at the first call; the files made of the same pixels share them. */
function drawOnce(text: string, box: Box): () => Promise<Pixels> {
  let pixels: Promise<Pixels> | undefined
  return () => (pixels ??= draw(text, box))
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
