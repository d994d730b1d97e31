import { createHash } from 'node:crypto'
import { type CharacterTitle, formatRank } from '#contract/characters.ts'
import { type Board, findClassByCode, findSchool, formatClass } from '#contract/game.ts'
import { formatCount } from '#contract/numbers.ts'
import type { ThemePictures, ThemeSlot } from '#contract/theme.ts'
import { calculateContrast, deriveTokens, isDark, type ThemeColors } from '#contract/theme-colors.ts'
import { crestShapes, emblemShapes, markShapes, SCHOOL_PAINTS } from '#contract/theme-shapes.ts'
import { loadPen, type Pen } from '#server/drawn-text.ts'
import { loadSharp } from '../files/pictures.ts'

/** The data that the picture of a character shows. */
export type CharacterCard = {
  name: string
  level: number
  cls: string
  school: number
  /** The best rank of the month. */
  place: { board: Board; of: 'all' | 'class' | 'school'; rank: number } | null
  /** The titles, the newest first; at most as many as the picture has badges. */
  titles: readonly { kind: CharacterTitle['kind']; text: string }[]
  siteName: string
  /** The address of the class's poster. */
  poster: string | null
  colors: ThemeColors
  pictures: Pick<ThemePictures, (typeof SLOTS)[number]>
}

const SLOTS = ['logo', 'crest_gate', 'crest_peak', 'crest_phoenix'] as const satisfies readonly ThemeSlot[]

/** Returns the pictures of a theme that share pictures contain. */
export const selectPictures = (pictures: ThemePictures): CharacterCard['pictures'] =>
  Object.fromEntries(SLOTS.flatMap((slot) => (pictures[slot] === undefined ? [] : [[slot, pictures[slot]]])))

/** The version of the drawing. Increase it when the same data is drawn in another way. */
const DRAWING_VERSION = 3

/** Returns a name that changes with the content of the picture. */
export const getPictureVersion = (card: CharacterCard): string =>
  createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, card]))
    .digest('base64url')
    .slice(0, 22)

/** The size that messengers recommend. */
const PICTURE_WIDTH = 1200
const PICTURE_HEIGHT = 630
export const MARGIN = 64
/** The left edge of the poster, and the width of the text. */
const POSTER_LEFT = 744
const TEXT_WIDTH = 664
export const FOOT_HEIGHT = 92

/**
 * Draws the picture that messengers show for a character's page (RANK-17).
 *
 * @returns the bytes of a JPEG
 */
export async function drawCharacter(card: CharacterCard, readPicture: ReadFile): Promise<Buffer> {
  const [pen, sharp] = await Promise.all([loadPen(), loadSharp()])
  const embed = await createEmbed(readPicture)
  const school = findSchool(card.school)
  const logo = await embed(card.pictures.logo?.[0], {
    x: MARGIN,
    y: PICTURE_HEIGHT - 70,
    width: 48,
    height: 44,
    fit: 'contain',
  })
  const crest = { x: 470, y: 60, width: 380, height: 452, fit: 'contain', attributes: 'opacity=".16"' } as const
  const svg = composePicture(card, pen, {
    poster: await embed(card.poster ?? undefined, {
      x: POSTER_LEFT - 40,
      y: 0,
      width: PICTURE_WIDTH - POSTER_LEFT + 40,
      height: PICTURE_HEIGHT - FOOT_HEIGHT,
      fit: 'cover',
      attributes: 'clip-path="url(#poster)"',
    }),
    logo,
    crest: school && (await embed(card.pictures[`crest_${school.key}`]?.[0], crest)),
  })
  return sharp(Buffer.from(svg)).jpeg({ quality: 80, mozjpeg: true }).toBuffer()
}

/** Reads the bytes of the site's own drawings and files; null for any other address. */
export type ReadFile = (url: string) => Promise<Buffer | null>

/**
 * Creates a function that encodes a picture as an SVG element that fills a box. It returns '' for a picture that is missing
 * or cannot be read.
 */
export async function createEmbed(readPicture: ReadFile) {
  const sharp = await loadSharp()
  return async (url: string | undefined, { x, y, width, height, fit, attributes = '' }: Box): Promise<string> => {
    const bytes = url === undefined ? null : await readPicture(url)
    if (bytes === null) return ''
    const png = await sharp(bytes, { density: 144 })
      .resize({ width, height, fit, position: 'top', background: '#0000' })
      .png({ compressionLevel: 1 })
      .toBuffer()
      .catch(() => null)
    if (png === null) return ''
    return `<image x="${x}" y="${y}" width="${width}" height="${height}" ${attributes} href="data:image/png;base64,${png.toString('base64')}"/>`
  }
}

type Box = {
  x: number
  y: number
  width: number
  height: number
  fit: 'cover' | 'contain'
  attributes?: string
}

type EmbeddedPictures = { poster: string; logo: string; crest: string | undefined }

function composePicture(card: CharacterCard, pen: Pen, embedded: EmbeddedPictures): string {
  const tokens = deriveTokens(card.colors)
  const school = findSchool(card.school)
  const cls = findClassByCode(card.cls)
  const schoolColors = school && SCHOOL_PAINTS[school.code]
  const [bright, dark, metal] = [
    schoolColors?.a ?? tokens['line-2'],
    schoolColors?.d ?? tokens.line,
    schoolColors?.b ?? tokens['text-2'],
  ]
  // Uses the metal of the school if the accent has too little contrast on the school's colors.
  const isAccentVisible =
    Math.min(calculateContrast(tokens.signal, bright), calculateContrast(tokens.signal, dark)) >= 2
  const accent = isAccentVisible ? tokens.signal : metal
  const onAccent = isAccentVisible ? tokens.ink : isDark(metal) ? '#fff' : '#0a0c13'
  const description = [cls && formatClass(cls), school?.name].filter((word) => word !== undefined).join('  ·  ')
  const placeAt = (x: number, y: number, inner: string, attributes = '') =>
    `<g transform="translate(${x} ${y})" ${attributes}>${inner}</g>`
  const drawLine = (text: string, x: number, y: number, size: number, fill: string) =>
    placeAt(x, y, pen.write(text, size).svg, `fill="${fill}"`)
  const name = fitName(card.name, pen)
  const level = pen.write(`Level ${formatCount(card.level)}`, 50)
  const emblem = cls && emblemShapes[cls]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}">
    <defs>
      <linearGradient id="field" x2="1" y2=".3"><stop offset=".3" stop-color="${dark}"/><stop offset="1" stop-color="${bright}"/></linearGradient>
      <linearGradient id="shade"><stop stop-opacity=".4"/><stop offset="1" stop-opacity="0"/></linearGradient>
      <pattern id="dots" width="24" height="24" patternUnits="userSpaceOnUse"><circle cx="6" cy="6" r="4"/><circle cx="18" cy="18" r="4"/></pattern>
      <linearGradient id="swell" x2="1"><stop offset=".2" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#fff"/></linearGradient>
      <mask id="right"><rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="url(#swell)"/></mask>
      <clipPath id="poster"><path d="M${POSTER_LEFT + 40} 0H${PICTURE_WIDTH}V${PICTURE_HEIGHT - FOOT_HEIGHT}H${POSTER_LEFT - 40}Z"/></clipPath>
    </defs>
    <rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="url(#field)"/>
    <rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="url(#dots)" opacity=".18" mask="url(#right)"/>
    ${embedded.crest || (school ? placeAt(500, 70, drawCrest(school.code), 'opacity=".16"') : '')}
    ${embedded.poster || (emblem ? placeAt(840, 120, drawEmblem(emblem, '#fff', accent, 6.2)) : '')}
    ${embedded.poster && `<path d="M${POSTER_LEFT + 40} 0h10l-80 ${PICTURE_HEIGHT - FOOT_HEIGHT}h-10Z" fill="${metal}"/>`}
    <rect width="${POSTER_LEFT}" height="${PICTURE_HEIGHT - FOOT_HEIGHT}" fill="url(#shade)"/>
    ${emblem ? placeAt(MARGIN, 72, drawEmblem(emblem, '#fff', accent, 1.35)) : ''}
    ${drawLine(description, emblem ? MARGIN + 84 : MARGIN, 121, 46, '#fff')}
    ${placeAt(MARGIN - 4, 300, name.svg, 'fill="#fff"')}
    ${placeAt(MARGIN, 368, level.svg, `fill="${metal}"`)}
    ${placeAt(MARGIN + level.width + 28, 326, drawTitles(card, { pen, accent, metal, width: TEXT_WIDTH - level.width - 28 }))}
    ${card.place === null ? '' : placeAt(MARGIN, 404, drawRank(card.place, card, { pen, accent, onAccent }))}
    ${drawFoot(card, { pen, logo: embedded.logo, width: PICTURE_WIDTH, height: PICTURE_HEIGHT })}
  </svg>`
}

/** Returns the strip at the foot of every picture, with the logo and the site's name. */
export function drawFoot(
  { colors, siteName }: Pick<CharacterCard, 'colors' | 'siteName'>,
  { pen, logo, width, height }: { pen: Pen; logo: string; width: number; height: number },
): string {
  const tokens = deriveTokens(colors)
  const mark = `<path d="${markShapes.plate}" fill="${tokens.signal}"/><path d="${markShapes.shed}" fill="${tokens.ink}" fill-rule="evenodd"/>`
  const name = pen.write(cutText(siteName, { size: 44, width: width - 3 * MARGIN, pen }), 44).svg
  return `<rect y="${height - FOOT_HEIGHT}" width="${width}" height="${FOOT_HEIGHT}" fill="${tokens.ink}"/>
    <rect y="${height - FOOT_HEIGHT}" width="${width}" height="5" fill="${tokens.signal}"/>
    ${logo || `<g transform="translate(${MARGIN} ${height - 66})">${mark}</g>`}
    <g transform="translate(${MARGIN + 68} ${height - 30})" fill="${tokens.paper}">${name}</g>`
}

export const drawCrest = (school: 0 | 1 | 2) =>
  `<g transform="scale(5.6)" fill="none">${crestShapes[school]
    .map(
      ({ d, line }) =>
        `<path d="${d}" ${line ? `stroke="#fff" stroke-width="${line}"` : 'fill="#fff" fill-opacity=".5"'}/>`,
    )
    .join('')}</g>`

const drawEmblem = ({ mark, line }: { mark: string; line: string }, stroke: string, fill: string, scale: number) =>
  `<g transform="scale(${scale})" stroke="${stroke}" stroke-width="2.6" stroke-miterlimit="6" fill="none"><path d="${mark}" fill="${fill}"/><path d="${line}"/></g>`

/** Draws the rank on a plate in the accent color, such as '#3 of Archers'. */
function drawRank(
  place: NonNullable<CharacterCard['place']>,
  card: CharacterCard,
  { pen, accent, onAccent }: { pen: Pen; accent: string; onAccent: string },
): string {
  const rank = pen.write(`#${formatCount(place.rank)}`, 76)
  const caption = pen.write(formatRank(place, { ChaClass: card.cls, ChaSchool: card.school }), 46)
  const width = rank.width + caption.width + 74
  return `<path d="M0 0H${width}L${width - 20} 96H0Z" fill="${accent}"/>
    <g fill="${onAccent}"><g transform="translate(24 74)">${rank.svg}</g><g transform="translate(${rank.width + 40} 70)">${caption.svg}</g></g>`
}

/** The side of a badge, and the distance to the next one. */
const BADGE_SIZE = 48
const BADGE_STEP = 54

/** Draws the titles as badges, and the newest one as text. */
function drawTitles(
  { titles }: CharacterCard,
  { pen, accent, metal, width }: { pen: Pen; accent: string; metal: string; width: number },
): string {
  const [newest] = titles
  if (newest === undefined) return ''
  const badges = titles.map(
    (_, index) => `<g transform="translate(${index * BADGE_STEP} 0) scale(${BADGE_SIZE / 32})">
      <path d="M4 3h24v14c0 7-6 10-12 13C10 27 4 24 4 17Z" fill="#0a0c13" stroke="${metal}" stroke-width="2"/>
      <path d="m16 8 2.4 5 5.4.6-4 3.7 1.1 5.4-4.9-2.8-4.9 2.8 1.1-5.4-4-3.7 5.4-.6Z" fill="${accent}"/></g>`,
  )
  const textLeft = titles.length * BADGE_STEP + 8
  const text = cutText(newest.text, { size: 32, width: width - textLeft, pen })
  return `${badges.join('')}<g transform="translate(${textLeft} 36)" fill="#fff">${pen.write(text, 32).svg}</g>`
}

const NAME_SIZES = [168, 140, 116, 96, 78]

/** Draws the name in the largest size that fits. Cuts a very long name. */
function fitName(name: string, pen: Pen) {
  const size = NAME_SIZES.find((size) => pen.write(name, size).width <= TEXT_WIDTH) ?? 78
  return pen.write(cutText(name, { size, width: TEXT_WIDTH, pen }), size)
}

/** Cuts a text that is wider than `width` pixels, and ends it with an ellipsis. */
export function cutText(text: string, { size, width, pen }: { size: number; width: number; pen: Pen }): string {
  if (pen.write(text, size).width <= width) return text
  const letters = [...text]
  while (letters.length > 0 && pen.write(`${letters.join('')}…`, size).width > width) letters.pop()
  return `${letters.join('')}…`
}
