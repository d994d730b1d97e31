import { SHARE_SIZES, type ShareShape } from '#contract/sharing.ts'
import type { ThemeColors } from '#contract/theme-colors.ts'
import { deriveTokens } from '#contract/theme-colors.ts'
import { markShapes } from '#contract/theme-shapes.ts'
import { loadPen, type Pen } from '#server/drawn-text.ts'
import { loadSharp } from '../files/pictures.ts'
import {
  type CharacterCard,
  createEmbed,
  cutText,
  drawCrest,
  drawFoot,
  FOOT_HEIGHT,
  MARGIN,
  type ReadFile,
} from '../rankings/draw-character.ts'
import type { Card } from './cards.ts'

/** The data that the drawing of a card depends on. */
export type CardDrawing = Card & {
  shape: ShareShape
  siteName: string
  colors: ThemeColors
  pictures: CharacterCard['pictures']
}

const TITLE_SIZES = { wide: [132, 108, 88], square: [150, 124, 96] } as const
const TITLE_LINES = { wide: 2, square: 4 } as const
const LINE_FONT_SIZE = 46
const LINE_HEIGHT = 58
const KICKER_HEIGHT = 64

/**
 * Draws the card of a page: its picture or a color, a line above the title, the title and the lines.
 *
 * @returns the bytes of a JPEG
 */
export async function drawCard(card: CardDrawing, readPicture: ReadFile): Promise<Buffer> {
  const { width, height } = SHARE_SIZES[card.shape]
  const [pen, sharp, embed] = await Promise.all([loadPen(), loadSharp(), createEmbed(readPicture)])
  const logo = { x: MARGIN, y: height - 70, width: 48, height: 44, fit: 'contain' } as const
  const symbol = { y: 90, width: 360, height: 330, fit: 'contain', attributes: 'opacity=".25"' } as const
  const svg = composeCard(card, pen, {
    picture: await embed(card.picture ?? undefined, { x: 0, y: 0, width, height: height - FOOT_HEIGHT, fit: 'cover' }),
    logo: await embed(card.pictures.logo?.[0], logo),
    symbol: await embed(card.pictures.logo?.[0], { ...symbol, x: width - 430 }),
  })
  return sharp(Buffer.from(svg)).jpeg({ quality: 80, mozjpeg: true }).toBuffer()
}

/** Splits a title into lines, in the largest size at which it fits. Cuts the last line if it fits at no size. */
function layOutTitle(title: string, { pen, shape, width }: { pen: Pen; shape: ShareShape; width: number }) {
  const linesMax = TITLE_LINES[shape]
  const sizes = TITLE_SIZES[shape]
  for (const size of sizes) {
    const lines = wrapText(title, { size, width, pen })
    if (lines.length <= linesMax && lines.every((line) => pen.write(line, size).width <= width)) return { size, lines }
  }
  const size = sizes[sizes.length - 1] ?? LINE_FONT_SIZE
  const lines = wrapText(title, { size, width, pen })
  const lastLine = lines.slice(linesMax - 1).join(' ')
  return { size, lines: [...lines.slice(0, linesMax - 1), lastLine].map((line) => cutText(line, { size, width, pen })) }
}

function wrapText(text: string, { size, width, pen }: { size: number; width: number; pen: Pen }): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const joinedLine = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && pen.write(joinedLine, size).width <= width) lines[lines.length - 1] = joinedLine
    else lines.push(word)
  }
  return lines
}

type EmbeddedPictures = { picture: string; logo: string; symbol: string }

function composeCard(card: CardDrawing, pen: Pen, embedded: EmbeddedPictures): string {
  const { width, height } = SHARE_SIZES[card.shape]
  const tokens = deriveTokens(card.colors)
  const textWidth = width - 2 * MARGIN
  const placeAt = (x: number, y: number, inner: string, fill = '') =>
    `<g transform="translate(${x} ${y})" ${fill && `fill="${fill}"`}>${inner}</g>`
  const title = layOutTitle(card.title, { pen, shape: card.shape, width: textWidth })
  const kicker = pen.write(cutText(card.kicker, { size: LINE_FONT_SIZE, width: textWidth - 48, pen }), LINE_FONT_SIZE)
  // The text is placed from the bottom up, and the space above shows the picture.
  const textBottom = height - FOOT_HEIGHT - 40
  const titleStep = title.size * 0.9
  const linesHeight = textBottom - title.lines.length * titleStep - KICKER_HEIGHT - 40
  const shownLines = card.lines.slice(0, Math.floor(linesHeight / LINE_HEIGHT))
  const lines = shownLines.map((text, index) =>
    placeAt(
      MARGIN,
      textBottom - (shownLines.length - 1 - index) * LINE_HEIGHT,
      pen.write(cutText(text, { size: LINE_FONT_SIZE, width: textWidth, pen }), LINE_FONT_SIZE).svg,
      tokens.paper,
    ),
  )
  const titleBottom = textBottom - shownLines.length * LINE_HEIGHT - 8
  const titleLines = title.lines.map((text, index) =>
    placeAt(
      MARGIN - 3,
      titleBottom - (title.lines.length - 1 - index) * titleStep,
      pen.write(text, title.size).svg,
      tokens.paper,
    ),
  )
  const kickerTop = titleBottom - (title.lines.length - 1) * titleStep - title.size * 0.76 - KICKER_HEIGHT - 18
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <defs>
      <linearGradient id="field" x2="1" y2=".6"><stop offset=".3" stop-color="${tokens.ink}"/><stop offset="1" stop-color="${tokens.second}"/></linearGradient>
      <linearGradient id="shade" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${kickerTop - 120}" y2="${kickerTop + 160}"><stop stop-color="${tokens.ink}" stop-opacity=".1"/><stop offset="1" stop-color="${tokens.ink}" stop-opacity=".88"/></linearGradient>
      <pattern id="dots" width="24" height="24" patternUnits="userSpaceOnUse"><circle cx="6" cy="6" r="4"/><circle cx="18" cy="18" r="4"/></pattern>
      <linearGradient id="swell" x2="1"><stop offset=".2" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#fff"/></linearGradient>
      <mask id="right"><rect width="${width}" height="${height}" fill="url(#swell)"/></mask>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#field)"/>
    ${
      embedded.picture === ''
        ? `<rect width="${width}" height="${height}" fill="url(#dots)" opacity=".2" mask="url(#right)"/>${drawSymbol(card, { width, color: tokens.paper, logo: embedded.symbol })}`
        : `${embedded.picture}<rect width="${width}" height="${height}" fill="url(#shade)"/>`
    }
    ${placeAt(MARGIN, kickerTop, `<path d="M0 0H${kicker.width + 52}L${kicker.width + 36} ${KICKER_HEIGHT}H0Z" fill="${tokens.signal}"/>`)}
    ${placeAt(MARGIN + 18, kickerTop + 47, kicker.svg, tokens.ink)}
    ${titleLines.join('')}${lines.join('')}
    ${drawFoot(card, { pen, logo: embedded.logo, width, height })}
  </svg>`
}

/** Draws the crest of the school on the right, or the site's logo or mark. */
function drawSymbol({ school }: Card, { width, color, logo }: { width: number; color: string; logo: string }): string {
  if (school === 0 || school === 1 || school === 2)
    return `<g transform="translate(${width - 440} 60)" opacity=".3">${drawCrest(school)}</g>`
  const mark = `<path fill-rule="evenodd" d="${markShapes.plate}${markShapes.shed}"/>`
  return logo || `<g transform="translate(${width - 430} 90) scale(8)" fill="${color}" fill-opacity=".22">${mark}</g>`
}
