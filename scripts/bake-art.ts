/**
 * Bakes the drawn pictures of the site: `node scripts/bake-art.ts first` those that its first pages show, into
 * `web/public/art/`; `node scripts/bake-art.ts later` the others, into the built site, which may be open by then.
 *
 * The drawings are pure functions in `art/` that return SVG text. Posters, flags, scenes and items are written as
 * SVG; news pictures, share pictures and icons are rasterised from it. The output is not kept in git and is the same for
 * the same sources. A file appears when it is complete. A picture that cannot be drawn stops the command.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { appIcon, classShareCard, favicon, maskableIcon, shareCard } from '#art/brand.ts'
import { classPoster } from '#art/class-poster.ts'
import { clubBridge, clubCourt, clubMarket } from '#art/clubs.ts'
import { rainyCoop } from '#art/coop.ts'
import { flag, flagPhone } from '#art/flags.ts'
import { interfaceScene } from '#art/interface.ts'
import { itemPicture, ribbon, skillSheet } from '#art/items.ts'
import { lastTrip } from '#art/jeepney.ts'
import { mediaPictures } from '#art/media-files.ts'
import { campusMap, channels, eventNight, guideSword, maintenance, quickSlots, trophy } from '#art/news.ts'
import { capsule, galleryThumb, receiptEmpty, redeem, signpost } from '#art/panels.ts'
import { parolNight } from '#art/parol.ts'
import { type Frame, phone, poster, type Scene, wide } from '#art/poster.ts'
import { court, rooftop } from '#art/posters.ts'
import { errorSign, notFound } from '#art/signs.ts'
import { stageHome, stageInner } from '#art/stage.ts'
import {
  storyBell,
  storyBoard,
  storyBrownout,
  storyGate,
  storyHill,
  storyPeak,
  storyPhoenix,
  storyShed,
} from '#art/story.ts'
import { registrarWindow, ticketBox } from '#art/support.ts'
import { fightStrip, resuStrip } from '#art/system-strips.ts'
import { worldMap } from '#art/world-map.ts'
import { CLASS_GUIDES } from '#content/classes.ts'
import { items } from '#server/demo/content/items.ts'
import { ROOT } from './root.ts'

type Draw = (frame: Frame) => Scene

type Picture = readonly [name: string, draw: () => Promise<Buffer>]

const schools = [0, 1, 2] as const

/** The rotator's posters, by number. */
const banners: readonly Draw[] = [rooftop, court, lastTrip, rainyCoop, parolNight]

/** The news pictures, by number. */
const news: readonly Draw[] = [
  maintenance,
  eventNight,
  guideSword,
  channels,
  parolNight,
  court,
  campusMap,
  quickSlots,
  rainyCoop,
  trophy,
]

/** A news picture is 360×240 units at 2.5 px, its link preview 400×210 units at 3 px. */
const newsFrame: Frame = { width: 360, height: 240, cx: 180, ground: 208, words: false, pitch: 20, dots: 0.4 }
const shareFrame: Frame = { width: 400, height: 210, cx: 200, ground: 182, words: false, pitch: 20, dots: 0.4 }

const drawings = new Map<string, string>([
  ['stage-home.svg', stageHome()],
  ['stage-inner.svg', stageInner()],
  ['club-1.svg', clubCourt()],
  ['club-2.svg', clubMarket()],
  ['club-3.svg', clubBridge()],
  ['signpost.svg', signpost()],
  ['gallery-thumb.svg', galleryThumb()],
  ['capsule.svg', capsule()],
  ['redeem.svg', redeem()],
  ['receipt-empty.svg', receiptEmpty()],
  ['error-sign.svg', errorSign()],
  ['not-found.svg', notFound()],
  ['registrar-window.svg', registrarWindow()],
  ['ticket-box.svg', ticketBox()],
  ['interface.svg', interfaceScene()],
  ['story-bell.svg', storyBell()],
  ['story-hill.svg', storyHill()],
  ['story-gate.svg', storyGate()],
  ['story-peak.svg', storyPeak()],
  ['story-phoenix.svg', storyPhoenix()],
  ['story-brownout.svg', storyBrownout()],
  ['story-board.svg', storyBoard()],
  ['story-shed.svg', storyShed()],
  ['world-map.svg', worldMap()],
  ['favicon.svg', favicon()],
  ['system-fight.svg', fightStrip()],
  ['system-resu.svg', resuStrip()],
  ...banners.flatMap((draw, i): [string, string][] => [
    [`banner-${i + 1}.svg`, poster(wide, draw(wide))],
    [`banner-${i + 1}-phone.svg`, poster(phone, draw(phone))],
  ]),
  ...schools.flatMap((school): [string, string][] => [
    [`flag-${school}.svg`, flag(school)],
    [`flag-${school}-phone.svg`, flagPhone(school)],
  ]),
  ...(['new', 'hot', 'sale'] as const).map((kind): [string, string] => [`ribbon-${kind}.svg`, ribbon(kind)]),
  ...CLASS_GUIDES.flatMap((guide): [string, string][] => [
    [`class-${guide.key}.svg`, classPoster(guide.key)],
    [`class-${guide.key}-skills.svg`, skillSheet(guide.skills.map((skill) => skill.icon))],
  ]),
  ...items.map((item): [string, string] => [`item-${item.slug}.svg`, itemPicture(item.icon, item.tone)]),
])

/** What the first pages show: every SVG, the news pictures and the icons. */
function firstPictures(): Picture[] {
  return [
    ...[...drawings].map(([name, text]): Picture => [name, async () => Buffer.from(text)]),
    ...news.flatMap((draw, i): Picture[] => {
      const picture = poster(newsFrame, draw(newsFrame))
      return [
        [`${newsName(i)}.webp`, () => webp(picture, 2.5, 25_000)],
        [`${newsName(i)}-thumb.webp`, () => webp(picture, 300 / 360, 8_000)],
      ]
    }),
    ['share.png', () => raster(shareCard(), 3).png({ palette: true, quality: 90 }).toBuffer()],
    ['favicon-32.png', () => png(favicon(), 32 / 48)],
    ['apple-touch-icon.png', () => png(appIcon(180))],
    ...[192, 512].flatMap((side): Picture[] => [
      [`icon-${side}.png`, () => png(appIcon(side))],
      [`icon-maskable-${side}.png`, () => png(maskableIcon(side))],
    ]),
  ]
}

/** The gallery, the wallpapers and the posters of movies, then what is only shown where a page is shared. */
function laterPictures(): Picture[] {
  return [
    ...mediaPictures(),
    ...news.map(
      (draw, i): Picture => [`${newsName(i)}-share.jpg`, () => jpeg(poster(shareFrame, draw(shareFrame)), 3, 72)],
    ),
    ...CLASS_GUIDES.map((guide): Picture => [`class-${guide.key}-share.jpg`, () => jpeg(classShareCard(guide), 3, 72)]),
    ...items.map(
      ({ slug, icon, tone }): Picture => [`item-${slug}-share.jpg`, () => jpeg(itemPicture(icon, tone), 2.5, 70)],
    ),
  ]
}

if (process.argv[2] === 'later') {
  await draw(laterPictures(), join(ROOT, 'build/client/art'))
} else {
  const folder = join(ROOT, 'web/public/art')
  await rm(folder, { recursive: true, force: true })
  await draw(firstPictures(), folder)
}

async function draw(left: Picture[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const file = join(folder, next[0])
      await writeFile(`${file}.part`, await next[1]())
      await rename(`${file}.part`, file)
    }
  }
  await Promise.all([worker(), worker(), worker()])
}

function newsName(index: number): string {
  return `news-${String(index + 1).padStart(2, '0')}`
}

/** The drawing as pixels, `scale` of them to a unit. */
function raster(text: string, scale: number): Sharp {
  return sharp(Buffer.from(text), { density: 72 * scale })
}

/** The best WebP that fits into `limit` bytes, because lists of pictures are loaded over mobile data too. */
async function webp(text: string, scale: number, limit: number): Promise<Buffer> {
  const pixels = await raster(text, scale).flatten({ background: '#0A0C13' }).png({ compressionLevel: 1 }).toBuffer()
  for (const quality of [60, 50, 42, 36, 30, 25]) {
    const picture = await sharp(pixels).webp({ quality, effort: 5 }).toBuffer()
    if (picture.length <= limit) return picture
  }
  throw new Error(`a news picture does not fit into ${limit} bytes at any quality worth looking at`)
}

function png(text: string, scale = 1): Promise<Buffer> {
  return raster(text, scale).png().toBuffer()
}

function jpeg(text: string, scale: number, quality: number): Promise<Buffer> {
  return raster(text, scale).flatten({ background: '#0A0C13' }).jpeg({ quality }).toBuffer()
}
